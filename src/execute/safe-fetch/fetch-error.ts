/**
 * Why a request failed: the URL can't be fetched (`invalid`), isn't allowed (`blocked`), redirects in an unsupported
 * way (`redirect`), or there was a `timeout` or a `network` error.
 */
export type FetchErrorKind = 'invalid' | 'blocked' | 'redirect' | 'timeout' | 'network';

const brand = Symbol.for('toolmend.FetchError');

/** Thrown by `safeFetch`. Its message names the host, never the rest of the URL. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** System error code, such as `ECONNREFUSED`, if there is one. */
  readonly code: string | undefined;
  /** Whether the error is transient. */
  readonly retryable: boolean;
  readonly [brand] = true;

  constructor(
    kind: FetchErrorKind,
    message: string,
    options: { code?: string | undefined; cause?: unknown; retryable?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
    this.retryable = options.retryable ?? kind === 'timeout';
  }

  /** Whether a value is a `FetchError`, including one from another copy of this package. */
  static isInstance(error: unknown): error is FetchError {
    return error instanceof Error && brand in error;
  }
}
