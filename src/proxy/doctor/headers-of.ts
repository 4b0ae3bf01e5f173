import type { Format } from '../../turn/turn.ts';
import type { Patient } from './patient.ts';
import { spoken } from './spoken.ts';

/** The headers a wire's own service wants, with the key where there is one. */
export function headersOf({ apiKey }: Pick<Patient, 'apiKey'>, format: Format): Record<string, string> {
  const { service } = spoken(format);
  return { ...service.headers, ...(apiKey !== undefined && service.keyHeader(apiKey)) };
}
