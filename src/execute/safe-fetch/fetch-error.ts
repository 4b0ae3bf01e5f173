/**
 * What kept a request from its answer: `invalid`: the address is none that can be fetched; `blocked`: it leads where it
 * must not; `redirect`: the server sends us on in a way that is not followed; `timeout`; `network`.
 */
export type FetchErrorKind = 'invalid' | 'blocked' | 'redirect' | 'timeout' | 'network';

const brand = Symbol.for('toolmend.FetchError');

/** Thrown by `safeFetch`; its words name the host and never the rest of the address. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** The system's code, `ECONNREFUSED` say, where there is one. */
  readonly code: string | undefined;
  /** Whether it may pass by itself. */
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

  /** True for such an error, also one made by another copy of this package. */
  static isInstance(error: unknown): error is FetchError {
    return error instanceof Error && brand in error;
  }
}
