import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** One request to an upstream. */
export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Nothing for requests that have no body. */
  readonly body?: Buffer | undefined;
  /** Given when the client has left. */
  readonly signal: AbortSignal;
  /** How long it may take to connect, and how long nothing may come, in milliseconds: 10 s and 30 min unless it is said. */
  readonly connect?: number | undefined;
  readonly idle?: number | undefined;
}

// Connections are kept, and no answer has a time to be whole by: a model may think for half an hour.
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
const connectTimeout = 10_000;
const idleTimeout = 1_800_000;

/** Asks an upstream and settles with its answer's head; the body is a stream that is read at the reader's pace. */
export function askUpstream(request: UpstreamRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => send(request, true, resolve, reject));
}

/** @param kept a connection of earlier requests may be used */
function send(
  request: UpstreamRequest,
  kept: boolean,
  resolve: (answer: IncomingMessage) => void,
  reject: (error: Error) => void,
): void {
  const { url, method, headers, body, signal, connect = connectTimeout, idle = idleTimeout } = request;
  const secure = url.protocol === 'https:';
  const options = {
    ...{ method, signal, agent: kept && (secure ? agents.https : agents.http) },
    headers: body ? { ...headers, 'content-length': body.length } : headers,
  };
  const asked = (secure ? requestHttps : requestHttp)(url, options, resolve);
  asked.on('error', (error: NodeJS.ErrnoException) => {
    // A server closes a connection that was idle just as it is used again, and has seen nothing of the request.
    const stale = asked.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (kept && stale && !signal.aborted) send(request, false, resolve, reject);
    else reject(error);
  });
  asked.setTimeout(idle, () => asked.destroy(new Error(`nothing came for ${idle} ms`)));
  asked.on('socket', (socket) => {
    if (!socket.connecting) return;
    const late = setTimeout(() => asked.destroy(new Error(`no connection within ${connect} ms`)), connect);
    socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  });
  asked.end(body);
}
