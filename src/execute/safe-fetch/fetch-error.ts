import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';

/**
 * Why a request failed: the URL can't be fetched (`invalid`), isn't allowed (`blocked`), redirects in an unsupported
 * way (`redirect`), or there was a `timeout` or a `network` error.
 */
export type FetchErrorKind = 'invalid' | 'blocked' | 'redirect' | 'timeout' | 'network';

/** Thrown by `safeFetch`. Its message names the host, never the rest of the URL. */
export class FetchError extends ToolmendError {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** System error code, such as `ECONNREFUSED`, if there is one. */
  readonly systemCode: string | undefined;
  /** Whether the error is transient. */
  readonly retryable: boolean;

  constructor(
    kind: FetchErrorKind,
    message: string,
    options: { systemCode?: string | undefined; cause?: unknown; retryable?: boolean } = {},
  ) {
    super('fetch_failed', message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.systemCode = options.systemCode;
    this.retryable = options.retryable ?? kind === 'timeout';
  }

  /** Whether a value is a `FetchError`, including one from another copy of this package. */
  static override isInstance(error: unknown): error is FetchError {
    return hasCode(error, 'fetch_failed') && 'systemCode' in error;
  }
}
