import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../execute/tool-result.ts';
import { parseFault } from '../../json/read-json.ts';
import { ToolmendError, type ToolmendErrorCode } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import type { InvalidResult } from '../invoke/receive-result.ts';
import { type CheckedUrl, checkResultUrl, checkSecret } from './result-url.ts';

/** Options of a result handler. */
export interface ResultHandlerOptions {
  /** The secret that signed the URLs. */
  readonly secret: string;
  /** Records a result: `agent.complete`, or `complete` of `dispatch()`. */
  readonly complete: (run: string, callId: string, result: unknown) => Promise<void>;
  /**
   * Largest body in bytes.
   * @default 1 MB
   */
  readonly maxBytes?: number;
}

/** Accepts results over HTTP. */
export interface ResultHandler {
  /** Handles a request of the Fetch API. */
  (request: Request): Promise<Response>;
  /** Handles a request of `node:http`. Resolves to false, without a response, if the URL isn't one of a result. */
  node(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** The status of each error; others are 500. */
const statuses: Partial<Record<ToolmendErrorCode, number>> = {
  unknown_run: 404,
  not_waiting: 409,
  too_large: 413,
  invalid_body: 400,
  invalid_result: 422,
  run_active: 503,
};

const refusals: Record<Exclude<CheckedUrl['type'], 'call'>, readonly [number, string]> = {
  other: [404, 'Not found. Expected /runs/RUN/calls/CALL.'],
  forged: [403, 'The signature of the URL is invalid.'],
  expired: [410, 'The URL has expired.'],
};

/**
 * Creates a handler for `POST /runs/RUN/calls/CALL`, which gives a waiting call its result. The URL must be signed, as
 * `context.resultUrl` is. The body is the result: JSON, or text.
 *
 * @example
 * const handle = resultHandler({ secret, complete: helper.complete });
 * createServer((request, response) => handle.node(request, response)).listen(8080);
 */
export function resultHandler(options: ResultHandlerOptions): ResultHandler {
  checkArgument(isObject(options), 'options', '{ secret, complete }', options);
  const { secret, complete, maxBytes = 1024 * 1024 } = options;
  checkSecret(secret);
  checkArgument(typeof maxBytes === 'number' && maxBytes >= 0, 'maxBytes', 'a number of 0 or more', String(maxBytes));
  checkArgument(typeof complete === 'function', 'complete', 'a function such as agent.complete', complete);

  const handle = async ({ method, address, type, body }: ReceivedRequest): Promise<Response> => {
    const checked = checkResultUrl(address, secret);
    if (checked.type !== 'call') return refused(...refusals[checked.type]);
    if (method !== 'POST') return refused(405, 'Send the result with POST.', { allow: 'POST' });
    try {
      await complete(checked.run, checked.callId, await readBody({ body, type }, maxBytes));
      return Response.json({ ok: true });
    } catch (error) {
      return failed(error);
    }
  };
  const fetched = (request: Request): Promise<Response> =>
    handle({
      method: request.method,
      address: new URL(request.url),
      type: request.headers.get('content-type'),
      body: request.body ?? new Blob([]).stream(),
    });
  return Object.assign(fetched, {
    async node(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      const address = URL.parse(request.url ?? '/', 'http://localhost');
      // A path such as `//[` is not a URL.
      if (!address || checkResultUrl(address, secret).type === 'other') return false;
      const { method = 'GET', headers } = request;
      const reply = await handle({ method, address, type: headers['content-type'], body: request });
      response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
      return true;
    },
  });
}

interface ReceivedRequest {
  readonly method: string;
  readonly address: URL;
  /** Content type. */
  readonly type: string | null | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

const refused = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ ok: false, error }, { status, headers });

function failed(error: unknown): Response {
  const code = ToolmendError.isInstance(error) ? error.code : undefined;
  const status = (code && statuses[code]) ?? 500;
  // Other errors may be about the store, which isn't the client's business.
  if (status === 500) return refused(500, 'The result could not be recorded. Send it again later.');
  const { problems } = error as Partial<InvalidResult>;
  const headers = status === 503 ? { 'retry-after': '1' } : undefined;
  return Response.json({ ok: false, code, error: messageOf(error), problems }, { status, ...(headers && { headers }) });
}

/** The body as JSON, or as text if it isn't said to be JSON. An empty body is no output. */
async function readBody({ body, type }: Pick<ReceivedRequest, 'body' | 'type'>, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new ToolmendError('too_large', `The result is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const text = decoded(Buffer.concat(chunks));
  if (text === '') return undefined;
  const isJson = /\bjson\b/i.test(type ?? '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // A truncated body must not become a result.
    if (isJson) throw new ToolmendError('invalid_body', `The body is not JSON: ${messageOf(error)}`);
    return text;
  }
  const lost = parseFault(text);
  if (lost === undefined) return value;
  // A number with many digits may be an id.
  if (!isJson && typeof value === 'number') return text;
  throw new ToolmendError('invalid_body', `The body can't be used: ${lost}`);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToolmendError('invalid_body', 'The body is not UTF-8');
  }
}
