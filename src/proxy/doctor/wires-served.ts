import type { Format } from '../../turn/turn.ts';
import { rootPath } from '../wire-of.ts';
import { askJson } from './ask-json.ts';
import type { Patient } from './patient.ts';
import { order, spoken } from './spoken.ts';

/** A wire, and the status that an empty request in it got. */
export interface ServedWire {
  readonly format: Format;
  readonly status: number;
}

const absent = [301, 302, 303, 307, 308, 404, 405, 501];

/** Finds the wires a server speaks: an empty request is refused where one is spoken, and costs no token. */
export async function wiresServed(patient: Patient, formats: readonly Format[] = order): Promise<ServedWire[]> {
  const heard = await Promise.all(
    formats.map(async (format) => {
      const { wire, service } = spoken(format);
      const path = rootPath(wire, wire.pathOf({ model: patient.model, messages: [] }));
      const headers = headersOf(patient, format);
      const said = await askJson(patient, path, { headers, body: {} });
      return said.type === 'answered' && !absent.includes(said.status) && !(said.status < 400 && !said.body)
        ? [{ format, status: said.status, service }]
        : [];
    }),
  );
  return heard.flat();
}

/** The headers a wire's own service wants, with the key where there is one. */
export function headersOf({ apiKey }: Pick<Patient, 'apiKey'>, format: Format): Record<string, string> {
  const { service } = spoken(format);
  return { ...service.headers, ...(apiKey !== undefined && service.keyHeader(apiKey)) };
}
