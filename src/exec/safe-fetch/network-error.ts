import { FetchError } from './fetch-error.ts';

/** What went wrong below HTTP, by the code the system gives it, and whether it may pass by itself. */
const causes: Readonly<Record<string, readonly [words: string, passes: boolean]>> = {
  ECONNREFUSED: ['no server answers there', true],
  ENOTFOUND: ['there is no host of that name', false],
  EAI_AGAIN: ['the name could not be looked up', true],
  ECONNRESET: ['the connection was cut', true],
  EPIPE: ['the connection was cut', true],
  ETIMEDOUT: ['the connection timed out', true],
  EHOSTUNREACH: ['there is no way to that host', true],
  ENETUNREACH: ['there is no way to that network', true],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", false],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is signed by itself", false],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is signed by somebody unknown", false],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is signed by somebody unknown", false],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host", false],
};

/** A connection that failed, told by its host alone: what a system says may hold the whole address. */
export function networkError(thrown: unknown, host: string): FetchError {
  const error = firstOf(thrown);
  if (FetchError.isInstance(error)) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const [why, retryable] = causes[code ?? ''] ?? ['the connection failed', false];
  const kind = code === 'ETIMEDOUT' ? 'timeout' : 'network';
  const words = `${host}: ${why}${code === undefined ? '' : ` (${code})`}`;
  return new FetchError(kind, words, { code, cause: thrown, retryable });
}

/** Several addresses of one host were tried, and each failed. */
const firstOf = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
