import type { JsonObject } from '../../json/value.ts';
import type { TurnError } from '../../model/index.ts';
import type { LoweringTarget } from '../compat/lowering-target.ts';
import type { Warning } from '../wire/types.ts';
import type { Fetch } from './fetch.ts';
import type { Timeouts } from './request.ts';
import type { RetryOptions } from './retry.ts';

/** Settings of a client. Only the model must be said. */
export interface ClientOptions {
  readonly model: string;
  /** Where it is served, if not by the provider itself: a gateway, a local server. */
  readonly baseURL?: string;
  /** The key; read from the provider's environment variable where it is not said. Sent in a header, and nowhere else. */
  readonly apiKey?: string;
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** More fields of the body, laid over what is written. */
  readonly body?: JsonObject;
  /** What names, ids and schemas are fitted to; the provider, or `plain` for OpenAI's wire at another address. */
  readonly target?: LoweringTarget;
  readonly timeouts?: Partial<Timeouts>;
  readonly retry?: RetryOptions;
  /** A `fetch` of your own; on Node ours has no limits but `timeouts`. */
  readonly fetch?: Fetch;
  /** Told before a turn is asked for again. */
  readonly onRetry?: (about: { readonly error: TurnError; readonly wait: number; readonly attempt: number }) => void;
  /** Told what of a question the provider does not take or the wire can't say, and what became of it. */
  readonly onLoss?: (losses: readonly Warning[]) => void;
}
