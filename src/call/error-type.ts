import type { ErrorType } from './outcome.ts';

interface ErrorTypeRow {
  /** May the same call, unchanged, succeed later? It advises the model; the effect alone decides what we repeat. */
  readonly retryable: boolean;
  /** True where a tool that itself says `once` must not be called again as it was. */
  readonly unlessOnce?: true;
}

/** Every kind of failure and whether the same call may succeed later. */
export const errorTypes: Readonly<Record<ErrorType, ErrorTypeRow>> = {
  validation: { retryable: false },
  unknown_tool: { retryable: false },
  truncated: { retryable: false },
  denied: { retryable: false },
  aborted: { retryable: false },
  runtime: { retryable: true },
  logical: { retryable: true },
  timeout: { retryable: true, unlessOnce: true },
};

/** Whether the same call, unchanged, may succeed later. `once`: the tool itself says it must run once only. */
export function isRetryable(errorType: ErrorType, { once = false }: { readonly once?: boolean } = {}): boolean {
  const row = errorTypes[errorType];
  return row.retryable && !(once && row.unlessOnce);
}
