import { isObject, type JsonObject } from '../../json/value.ts';
import { endpoint, shown } from '../../provider/client/endpoint.ts';
import { networkError } from '../../provider/client/network-error.ts';
import { askUpstream } from '../ask-upstream.ts';
import { jsonOf } from '../json-of.ts';
import { readBody } from '../read-body.ts';
import type { Patient } from './patient.ts';

/** What a server says at a path: nothing where there is no server, else a status and the object its body is or begins with. */
export type Heard =
  | { readonly type: 'silent'; readonly why: string }
  | { readonly type: 'answered'; readonly status: number; readonly body: JsonObject | undefined };

/** Pages that say what a server is are small and come at once. */
const longest = 8 * 1024 * 1024;
const patience = 10_000;

/** Asks for a page of a server, with a body where one is given. Never throws, follows no redirect. */
export async function askJson(
  { root, signal }: Pick<Patient, 'root' | 'signal'>,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: JsonObject } = {},
): Promise<Heard> {
  const url = endpoint(root, path);
  try {
    const came = await askUpstream({
      url,
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && Buffer.from(JSON.stringify(body)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    const text = (await readBody(came, longest)).toString('utf8');
    return {
      type: 'answered',
      status: came.statusCode ?? 0,
      body: parsed(text) ?? parsed(text.split('\n', 1)[0] ?? ''),
    };
  } catch (error) {
    const late = error instanceof Error && error.name === 'AbortError';
    const why = late ? `${shown(url)}: no answer within ${patience / 1000} s` : networkError(error, shown(url)).message;
    return { type: 'silent', why };
  }
}

function parsed(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}
