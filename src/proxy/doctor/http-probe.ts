import type { Format } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { services } from '../../provider/client/services.ts';
import { askJson, type JsonQuestion, type ServerReply } from '../upstream/fetch-json.ts';
import { wires } from '../upstream/wires.ts';
import type { Patient, Spoken } from './types.ts';

/** Asks the server that is looked at for one of its pages. */
export const askPatient = (
  { root, signal }: Pick<Patient, 'root' | 'signal'>,
  path: string,
  question: JsonQuestion,
): Promise<ServerReply> => askJson(endpoint(root, path), { ...question, signal });

/** The headers a wire's own service wants, with the key where there is one. */
export function headersOf({ apiKey }: Pick<Patient, 'apiKey'>, format: Format): Record<string, string> {
  const { service } = spoken(format);
  return { ...service.headers, ...(apiKey !== undefined && service.keyHeader(apiKey)) };
}

/** The wires in the order they are preferred for the rest of the examination: what most clients speak first. */
export const order: readonly [Format, ...Format[]] = [
  'openai-chat',
  'ollama',
  'anthropic',
  'gemini',
  'openai-responses',
];

const owners = {
  'openai-chat': services.openai,
  'openai-responses': services.openai,
  anthropic: services.anthropic,
  gemini: services.gemini,
  ollama: services.ollama,
} as const;

/** A wire with the service that made it. */
export const spoken = (format: Format): Spoken => ({ wire: wires[format], service: owners[format] });
