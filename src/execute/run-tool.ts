import { ToolmendError } from '../json/toolmend-error.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';

/** How a tool ended. */
export type ToolEnd =
  | { readonly type: 'returned'; readonly output: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  | { readonly type: 'timeout'; readonly after: number }
  | { readonly type: 'aborted'; readonly reason: unknown };

export interface RunToolOptions {
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called when an abandoned tool finishes after all. */
  readonly late?: ((end: ToolEnd) => void) | undefined;
  /** Runs the tool instead of its own `execute`, for hosts that forward calls. */
  readonly execute?: ((tool: Tool, input: unknown, context: ToolContext) => unknown) | undefined;
}

/**
 * Runs a tool with a timeout and a signal. Always settles in time: a tool that ignores its signal is abandoned, and its
 * result goes to `late`. Never throws.
 */
export function runTool(
  tool: Tool,
  value: unknown,
  context: Omit<ToolContext, 'signal'>,
  { timeout, signal, late, execute = ownExecute }: RunToolOptions,
): Promise<ToolEnd> {
  if (signal?.aborted) return Promise.resolve({ type: 'aborted', reason: signal.reason });
  const control = new AbortController();
  return new Promise((resolve) => {
    let settled = false;
    const settle = (end: ToolEnd): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      forget?.();
      resolve(end);
    };
    const aborted = (): void => settle({ type: 'aborted', reason: signal?.reason });
    const stop = (): void => {
      // A child run must have ended before its parent says so: nothing ends it once the process is gone.
      if (tool.executor?.childOf) setTimeout(aborted, childTime).unref();
      else aborted();
      control.abort(signal?.reason);
    };
    const onDeadline = (): void => {
      settle({ type: 'timeout', after: timeout });
      control.abort(new DOMException(`The tool ran longer than ${timeout} ms`, 'TimeoutError'));
    };
    const timer = timeout <= longestTimer ? setTimeout(onDeadline, timeout) : undefined;
    const forget = signal && onAbort(signal, stop);
    started(() => execute(tool, value, { ...context, signal: control.signal })).then((end) => {
      if (!settled && signal?.aborted && isObedience(end, control.signal)) aborted();
      else if (!settled) settle(end);
      else if (!isObedience(end, control.signal)) late?.(end);
    });
  });
}

/** Time for the child run of an aborted call to end, in milliseconds. */
const childTime = 5000;

async function started(work: () => unknown): Promise<ToolEnd> {
  try {
    return { type: 'returned', output: await work() };
  } catch (error) {
    return { type: 'threw', error };
  }
}

const ownExecute: NonNullable<RunToolOptions['execute']> = (tool, input, context) => {
  if (!tool.executor && !tool.execute)
    throw new ToolmendError('invalid_tool', `The tool '${tool.name}' has neither execute nor an executor`);
  return tool.executor ? tool.executor.execute(input, context) : tool.execute?.(input, context);
};

/** A tool that throws the abort reason or an `AbortError` has stopped as requested; this isn't a late result. */
const isObedience = (end: ToolEnd, { reason }: AbortSignal): boolean =>
  end.type === 'threw' && (end.error === reason || (end.error instanceof Error && end.error.name === 'AbortError'));

/** What to do when a signal aborts, and the one listener that does it. */
interface Waiting {
  readonly all: Set<() => void>;
  readonly listener: () => void;
}

const waits = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls a function when a signal aborts, until the returned function is called. All functions share a listener, because
 * adding and removing one takes much longer, above all for a signal that combines others.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const waiting = waits.get(signal) ?? listen(signal);
  const { all, listener } = waiting;
  all.add(call);
  return () => {
    // A signal with a listener is not collected as garbage while another may abort it.
    if (!all.delete(call) || all.size > 0) return;
    signal.removeEventListener('abort', listener);
    waits.delete(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const all = new Set<() => void>();
  const listener = (): void => {
    for (const call of all) call();
  };
  signal.addEventListener('abort', listener, { once: true });
  const waiting = { all, listener };
  waits.set(signal, waiting);
  return waiting;
}

/** Result of work that was abandoned. */
export const abandoned = Symbol('given up');

/** Waits for work until the signal aborts, because user code may never settle. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof abandoned> {
  // Most hooks don't exist or return nothing, and listening to a signal costs more than they do.
  if (!isThenable(work)) return Promise.resolve(signal?.aborted ? abandoned : work);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(abandoned);
    if (signal?.aborted) stop();
    const forget = signal && onAbort(signal, stop);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => forget?.());
  });
}

const isThenable = (work: unknown): boolean =>
  (typeof work === 'object' || typeof work === 'function') && work !== null && 'then' in work;

/** Longest timer in milliseconds. A longer one would fire immediately. */
export const longestTimer = 2 ** 31 - 1;
