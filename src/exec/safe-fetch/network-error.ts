import { FetchError } from './fetch-error.ts';

/** What went wrong below HTTP, by the code the system gives it. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by somebody unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is signed by somebody unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
};

/** A connection that failed, told by its host alone: what a system says may hold the whole address. */
export function networkError(thrown: unknown, host: string): FetchError {
  const error = firstOf(thrown);
  if (FetchError.isInstance(error)) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const why = causes[code ?? ''] ?? 'the connection failed';
  const kind = code === 'ETIMEDOUT' ? 'timeout' : 'network';
  return new FetchError(kind, `${host}: ${why}${code === undefined ? '' : ` (${code})`}`, { code, cause: thrown });
}

/** Several addresses of one host were tried, and each failed. */
const firstOf = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
