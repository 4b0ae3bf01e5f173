import type { OutgoingHttpHeaders } from 'node:http';
import { readBody } from '../../execute/local-server/read-body.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import { networkError } from '../../provider/client/errors.ts';
import { askUpstream } from './http.ts';

/** What a server says at an address: nothing where there is no server, else a status and the object its body is or begins with. */
export type ServerReply =
  | { readonly type: 'silent'; readonly why: string }
  | { readonly type: 'answered'; readonly status: number; readonly body: JsonObject | undefined };

/** How a server is asked. */
export interface FetchJsonOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Sent where it is given; without one the page is asked for. */
  readonly body?: JsonObject;
  /** How long the answer may take, in milliseconds; 10 s unless it is said. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Pages that say what a server is are small and come at once. */
const longest = 8 * 1024 * 1024;
const patience = 10_000;

/** Asks a server for one of its pages. Never throws, follows no redirect. */
export async function fetchJson(
  url: URL,
  { headers = {}, body, timeout = patience, signal }: FetchJsonOptions = {},
): Promise<ServerReply> {
  const late = AbortSignal.timeout(timeout);
  try {
    const came = await askUpstream({
      url,
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && Buffer.from(JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const text = (await readBody(came, longest)).toString('utf8');
    return {
      type: 'answered',
      status: came.statusCode ?? 0,
      body: parsed(text) ?? parsed(text.split('\n', 1)[0] ?? ''),
    };
  } catch (error) {
    const why = late.aborted
      ? `${displayUrl(url)}: no answer within ${timeout / 1000} s`
      : networkError(error, displayUrl(url)).message;
    return { type: 'silent', why };
  }
}

function parsed(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}

/** What a body says, where it is JSON. */
export function jsonOf(body: Buffer | string): JsonValue | undefined {
  try {
    return JSON.parse(typeof body === 'string' ? body : body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The page that was asked for; an empty one where it is not there. */
export const pageOf = (heard: ServerReply): JsonObject =>
  heard.type === 'answered' && heard.status === 200 ? (heard.body ?? {}) : {};
