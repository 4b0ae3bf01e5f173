import { hasCode, ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, isObject } from '../json/value.ts';
import type { FailedResult } from '../mend/feedback/feedback.ts';
import { type ErrorType, isRetryable } from '../mend/outcome.ts';
import type { MediaPart, OpaquePart, TextPart } from '../model/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolEnd } from './run-tool.ts';

/** The result of a tool as a value. */
export type ToolResult = { readonly ok: true; readonly data: unknown; readonly note?: string } | FailedResult;

/** Default recommendations for each kind of failure. */
const advice: Readonly<Record<ErrorType, readonly string[]>> = {
  validation: ["Compare the arguments with the tool's description, and fix them"],
  unknown_tool: ['Call one of the available tools'],
  truncated: ['Make the call again in smaller pieces'],
  denied: ['Do not repeat the call; try another way, or ask the user'],
  timeout: ['Ask for less at once, or try again later'],
  aborted: ['Wait for the user before repeating the call'],
  runtime: ['Check that the resource in the arguments exists and is reachable', 'Try again, or try another way'],
  logical: ['Read the error, change what it names, and try again'],
};

/** Converts the end of a run to a result: a value, or a failure with its type and recommendations. */
export function toolResult(end: ToolEnd, tool: Tool, note?: string): ToolResult {
  const noted = note === undefined || note === '' ? {} : { note };
  if (end.type === 'returned') {
    const failed = ownFailure(end.output);
    return failed ? { ...failed, ...noted } : { ok: true, data: end.output, ...noted };
  }
  const { errorType, error } = reasons(end);
  const retryable = isRetryable(errorType, { once: tool.saysOnce });
  return { ok: false, error, errorType, retryable, recommendations: advice[errorType], ...noted };
}

function reasons(end: Exclude<ToolEnd, { type: 'returned' }>): { errorType: ErrorType; error: string } {
  if (end.type === 'timeout') return { errorType: 'timeout', error: `It did not finish within ${end.after} ms` };
  if (end.type === 'aborted') return { errorType: 'aborted', error: `It was stopped: ${messageOf(end.reason)}` };
  return { errorType: 'runtime', error: messageOf(end.error) };
}

/** A tool's own `{ ok: false, error }`, or content marked as an error. */
function ownFailure(output: unknown): FailedResult | undefined {
  if (isToolOutput(output)) {
    if (!output.isError) return undefined;
    const said = output.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return failure('logical', said || 'The tool reported an error', advice.logical, output);
  }
  if (!isObject(output) || output.ok !== false) return undefined;
  const { error, recommendations, data, retryable } = output as Record<string, unknown>;
  const type = typeOf(output);
  const own = Array.isArray(recommendations) ? recommendations.filter((one) => typeof one === 'string') : [];
  const result = failure(
    type,
    messageOf(error ?? 'The tool reported a failure'),
    own.length > 0 ? own : advice[type],
    data,
  );
  return typeof retryable === 'boolean' ? { ...result, retryable } : result;
}

/** The type that a tool reports, by name or by the marks that some frameworks use. */
function typeOf({ errorType, _validationError, _thrownError }: Readonly<Record<string, unknown>>): ErrorType {
  if (errorType === 'validation' || errorType === 'runtime' || errorType === 'logical') return errorType;
  if (_validationError === true) return 'validation';
  return _thrownError === true ? 'runtime' : 'logical';
}

const failure = (
  errorType: ErrorType,
  error: string,
  recommendations: readonly string[],
  data: unknown,
): FailedResult => ({
  ok: false,
  error,
  errorType,
  retryable: isRetryable(errorType),
  recommendations,
  ...(data !== undefined && { data }),
});

/** The message of a thrown value: an error's message, a string, or its JSON. Without a stack trace. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name);
    if (typeof thrown === 'string') return thrown;
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

/** The name and the message of a thrown value, to record them. The code of a `ToolmendError` is its name. */
export const failureOf = (thrown: unknown): { readonly name: string; readonly message: string } => ({
  name: nameOf(thrown),
  message: messageOf(thrown),
});

/** The name of an error. One that a hook threw keeps its own. */
function nameOf(thrown: unknown): string {
  if (hasCode(thrown, 'hook_failed') && thrown.cause instanceof Error) return nameOf(thrown.cause);
  return ToolmendError.isInstance(thrown) ? thrown.code : thrown instanceof Error ? String(thrown.name) : 'Error';
}

/** What JSON writes as it is. A map or an error would become `{}`, and `new Number(NaN)` null. */
const writable: ReadonlySet<string> = new Set(['[object Object]', '[object Array]']);

/** Replacer for `JSON.stringify` that throws for values that it would leave out or write as something else. */
function refuseUnwritable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const where = key === '' ? '' : ` as '${key}'`;
  if (value === null && this[key] !== null) throw new ToolmendError('unsupported', `it contains ${this[key]}${where}`);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ToolmendError('unsupported', `it contains ${value}${where}`);
  if (typeof value === 'function' || typeof value === 'symbol' || (value === undefined && Array.isArray(this)))
    throw new ToolmendError('unsupported', `it contains ${value === undefined ? value : `a ${typeof value}`}${where}`);
  if (typeof value !== 'object' || value === null) return value;
  const kind = Object.prototype.toString.call(value);
  if (!writable.has(kind)) throw new ToolmendError('unsupported', `it contains ${kind}${where}`);
  return value;
}

/** `JSON.stringify` that throws for a value that JSON would leave out or change. Fields that are undefined are missing. */
export const exactJson = (value: unknown): string | undefined => JSON.stringify(value, refuseUnwritable);

const mark = Symbol.for('toolmend.ToolOutput');

/** Output that isn't plain text or JSON: media, several parts, or an error. */
export interface ToolOutput {
  readonly content: readonly (TextPart | MediaPart | OpaquePart)[];
  /** The same as JSON, for programs. */
  readonly structured?: unknown;
  /** Whether the tool reports a failure. */
  readonly isError?: boolean;
}

/**
 * Marks a tool's output as content parts instead of JSON.
 *
 * @example
 * execute: async () => toolOutput({ content: [{ type: 'media', mediaType: 'image/png', source: { data } }] })
 */
export function toolOutput<T extends ToolOutput>(output: T): T {
  checkArgument(isObject(output), 'output', 'an object with content', output);
  return { ...output, [mark]: true };
}

/** Whether a tool returned content parts. */
export const isToolOutput = (value: unknown): value is ToolOutput =>
  typeof value === 'object' && value !== null && mark in value;

const pendingMark = Symbol.for('toolmend.Pending');

/** Returned by a tool whose result comes later, from outside. */
export interface Pending {
  /** What the result belongs to, such as the id of a job. */
  readonly key?: string;
  /** Time to wait for the result, in milliseconds. */
  readonly timeout?: number;
}

/**
 * Says that the result of a call comes later, from outside: a webhook, a job, a person. The run waits for it, also
 * across restarts, until `run.complete()` or a request to the call's result URL provides it.
 *
 * @param key what the result belongs to; `run.complete()` also accepts it instead of the call's id
 * @example
 * execute: async ({ video }, { resultUrl }) => pending(await startJob(video, { webhook: resultUrl }))
 */
export function pending(key?: string, { timeout }: Pick<Pending, 'timeout'> = {}): Pending {
  checkArgument(key === undefined || typeof key === 'string', 'key', 'a string', key);
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  checkArgument(isTime, 'timeout', 'a positive number of milliseconds', timeout);
  const options = { ...(key !== undefined && { key }), ...(timeout !== undefined && { timeout }) };
  return { ...options, [pendingMark]: true } as Pending;
}

/** Whether a tool returned `pending()`. */
export const isPending = (value: unknown): value is Pending =>
  typeof value === 'object' && value !== null && pendingMark in value;
