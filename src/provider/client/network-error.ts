import type { TurnError } from '../../turn/turn.ts';

/** What went wrong below HTTP, by the code the system gives it, and whether it may pass. */
const causes: Readonly<Record<string, readonly [string, boolean]>> = {
  ECONNREFUSED: ['no server answers there; is it running, and is baseURL right?', true],
  ENOTFOUND: ['there is no host of that name; is baseURL right?', true],
  EAI_AGAIN: ['the name of the host could not be looked up', true],
  ECONNRESET: ['the connection was cut', true],
  UND_ERR_SOCKET: ['the connection was cut', true],
  EPIPE: ['the connection was cut', true],
  ETIMEDOUT: ['the connection timed out', true],
  CONNECT_TIMEOUT: ['no connection was made in time', true],
  UND_ERR_CONNECT_TIMEOUT: ['no connection was made in time', true],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", false],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is signed by itself", false],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is signed by somebody unknown", false],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is signed by somebody unknown", false],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host", false],
  Z_DATA_ERROR: ['the answer says that it is compressed, and is not', false],
  ERR_TRAILING_JUNK_AFTER_STREAM_END: ['the answer says that it is compressed, and is not', false],
};

/** A connection that failed, told for people. */
export function networkError(thrown: unknown, where: string): TurnError {
  const code = codeOf(thrown);
  const [why, retryable] = causes[code ?? ''] ?? [wordsOf(thrown), true];
  const told = code === undefined ? why : `${why} (${code})`;
  return { kind: 'network', message: `${where}: ${told}`, retryable, ...(code !== undefined && { code }) };
}

/** The system's code: on the error, or on what caused it, one of several attempts among them. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return undefined;
  const { code, cause, errors } = thrown as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && code in causes) return code;
  const inner = codeOf(cause, depth + 1) ?? codeOf(Array.isArray(errors) ? errors[0] : undefined, depth + 1);
  return inner ?? (typeof code === 'string' ? code : undefined);
}

const wordsOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== '' ? thrown.message : 'the connection failed';
