import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { RawCall } from '../model/index.ts';
import type { Tool } from '../tools/tool.ts';

/** Why a call did not run, or how its run failed. */
export type ErrorType =
  | 'validation'
  | 'unknown_tool'
  | 'truncated'
  | 'denied'
  | 'timeout'
  | 'aborted'
  | 'runtime'
  | 'logical';

/** A call that may run: `ok` as it was written, `mended` with what was changed. */
export interface GoodOutcome {
  readonly status: 'ok' | 'mended';
  /** The call as it was written. */
  readonly raw: RawCall;
  readonly tool: Tool;
  /** The tool's own name, whatever the model wrote. */
  readonly name: string;
  /** The mended JSON: logged, approved, edited, sent back to the model. */
  readonly input: unknown;
  /** The validator's output (defaults, transforms), for the tool alone. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly [];
  /** What the model should be told beside the result, e.g. which key was dropped. */
  readonly note?: string;
}

/** A call that must not run, with everything a model needs to write it right. */
export interface BadOutcome {
  readonly status: 'invalid';
  /** `truncated` where content was lost, `unknown_tool` where no tool was found, else `validation`. */
  readonly errorType: 'validation' | 'unknown_tool' | 'truncated';
  /** The call as it was written. */
  readonly raw: RawCall;
  /** The tool, where it was found. */
  readonly tool?: Tool;
  /** The tool found, else the name as written. */
  readonly name: string;
  /** The value as read. */
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
}

/** What came of a call; `status` tells the two apart. */
export type Outcome = GoodOutcome | BadOutcome;

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
