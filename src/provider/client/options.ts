import type { JsonObject } from '../../json/value.ts';
import type { TurnError } from '../../model/index.ts';
import type { LoweringTarget } from '../compat/lowering-target.ts';
import type { Warning } from '../wire/types.ts';
import type { Fetch } from './fetch.ts';
import type { Timeouts } from './request.ts';
import type { RetryOptions } from './retry.ts';

/** Options of a client. Only `model` is required. */
export interface ClientOptions {
  readonly model: string;
  /**
   * Base URL, for a gateway or a local server.
   * @default the provider's own URL
   */
  readonly baseURL?: string;
  /**
   * API key, sent only in a header.
   * @default the provider's environment variable
   */
  readonly apiKey?: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional body fields, which override those of the request. */
  readonly body?: JsonObject;
  /**
   * The limits that names, ids and schemas are adapted to.
   * @default the provider; `plain` for OpenAI's API at another URL
   */
  readonly target?: LoweringTarget;
  readonly timeouts?: Partial<Timeouts>;
  readonly retry?: RetryOptions;
  /** A custom `fetch`. The default on Node has no timeouts except `timeouts`. */
  readonly fetch?: Fetch;
  /** Called before each retry. */
  readonly onRetry?: (about: { readonly error: TurnError; readonly wait: number; readonly attempt: number }) => void;
  /**
   * Called with the parts of a request that the provider doesn't support or its API format can't express, and how each
   * was handled.
   */
  readonly onWarnings?: (warnings: readonly Warning[]) => void;
}
