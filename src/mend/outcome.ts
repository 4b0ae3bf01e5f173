import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { RawCall, WrittenFinishReason } from '../model/index.ts';
import type { Schema } from '../schema/schema.ts';
import type { Tool, ToolInput, ToolValue } from '../tools/tool.ts';

/** Why a call didn't run, or how it failed. */
export type ErrorType =
  | 'validation'
  | 'unknown_tool'
  | 'truncated'
  | 'denied'
  | 'timeout'
  | 'aborted'
  | 'runtime'
  | 'logical';

/** A call of one tool that can run: `ok` as written, or `mended`. */
interface CallOf<T extends Tool> {
  readonly status: 'ok' | 'mended';
  /** The call as written. */
  readonly raw: RawCall;
  readonly tool: T;
  /** The tool's own name. */
  readonly name: T['name'];
  /** The mended JSON, for the log, approval, editing and the history. */
  readonly input: ToolInput<T>;
  /** The validator's output (defaults, transforms), for the tool. */
  readonly value: ToolValue<T>;
  readonly repairs: readonly Repair[];
  readonly problems: readonly [];
  /** A note for the model with the result, for example about a dropped key. */
  readonly note?: string;
}

/** A call that can run. If the toolbox knows its tools, `name` narrows `input` and `value`. */
export type GoodOutcome<T extends Tool = Tool> = [T] extends [never]
  ? CallOf<Tool>
  : T extends Tool
    ? CallOf<T>
    : never;

/** A call that must not run, with everything the model needs to correct it. */
export interface BadOutcome {
  readonly status: 'invalid';
  /** `truncated` if content was lost, `unknown_tool` if no tool was found, otherwise `validation`. */
  readonly errorType: 'validation' | 'unknown_tool' | 'truncated';
  /** The call as written. */
  readonly raw: RawCall;
  /** The tool, if found. */
  readonly tool?: Tool;
  /** Name of the tool, or the name as written if there is none. */
  readonly name: string;
  /** The value as read, or mended if only the text around the call is in doubt. */
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
}

/** The result of a call. Check `status`. */
export type Outcome<T extends Tool = Tool> = GoodOutcome<T> | BadOutcome;

/** A value that matches its schema: `ok` as written, or `mended`. */
export interface GoodValue<Out = unknown> {
  readonly status: 'ok' | 'mended';
  /** The validator's output, with defaults and transforms applied. */
  readonly value: Out;
  /** The mended JSON. */
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly [];
}

/** A value that can't be used, with everything the model needs to correct it. Pass it to `feedback()`. */
export interface BadValue {
  readonly status: 'invalid';
  /** `truncated` if content was lost, otherwise `validation`. */
  readonly errorType: 'validation' | 'truncated';
  /** The text or value as received. */
  readonly raw: unknown;
  /** Why the message ended, if known. */
  readonly finishReason?: WrittenFinishReason | undefined;
  readonly schema: Schema;
  /** The value as read. */
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
}

/** The result of reading a value: `ok` as written, `mended` with its repairs, or `invalid` with its problems. */
export type MendedValue<Out = unknown> = GoodValue<Out> | BadValue;

interface ErrorTypeRow {
  /**
   * Whether the same call may succeed later. This is advice for the model; what is repeated automatically depends on
   * the effect only.
   */
  readonly retryable: boolean;
  /** Not retryable for tools with `repeat: 'once'`. */
  readonly unlessOnce?: true;
}

/** All kinds of failures, and whether the same call may succeed later. */
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

/**
 * Whether the same call may succeed later.
 *
 * @param options.once whether the tool must run only once
 */
export function isRetryable(errorType: ErrorType, { once = false }: { readonly once?: boolean } = {}): boolean {
  const row = errorTypes[errorType];
  return row.retryable && !(once && row.unlessOnce);
}
