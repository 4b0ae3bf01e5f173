import type { Tool, ToolContext } from '../tools/tool.ts';

/** How a run of a tool ended. */
export type ToolEnd =
  | { readonly type: 'returned'; readonly output: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  | { readonly type: 'timeout'; readonly after: number }
  | { readonly type: 'aborted'; readonly reason: unknown };

export interface RunToolOptions {
  /** How long it may take, in milliseconds. */
  readonly timeout: number;
  /** The caller's own wish to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Told of what came after the tool had been given up. */
  readonly late?: ((end: ToolEnd) => void) | undefined;
  /** Runs the tool in place of its own `execute`, for hosts that forward calls elsewhere. */
  readonly execute?: ((tool: Tool, input: unknown, context: ToolContext) => unknown) | undefined;
}

/**
 * Runs a tool under a deadline and a signal, and settles by then whatever the tool does: one that ignores its signal is
 * given up, and what it brings later goes to `late`. Never throws.
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
      signal?.removeEventListener('abort', onAbort);
      resolve(end);
    };
    const onAbort = (): void => {
      settle({ type: 'aborted', reason: signal?.reason });
      control.abort(signal?.reason);
    };
    const onDeadline = (): void => {
      settle({ type: 'timeout', after: timeout });
      control.abort(new DOMException(`The tool ran longer than ${timeout} ms`, 'TimeoutError'));
    };
    const timer = timeout <= longestTimer ? setTimeout(onDeadline, timeout) : undefined;
    signal?.addEventListener('abort', onAbort, { once: true });
    started(() => execute(tool, value, { ...context, signal: control.signal })).then((end) => {
      if (!settled) settle(end);
      else if (!isObedience(end, control.signal)) late?.(end);
    });
  });
}

async function started(work: () => unknown): Promise<ToolEnd> {
  try {
    return { type: 'returned', output: await work() };
  } catch (error) {
    return { type: 'threw', error };
  }
}

const ownExecute: NonNullable<RunToolOptions['execute']> = (tool, input, context) => {
  if (!tool.executor && !tool.execute) throw new Error(`The tool '${tool.name}' has no way to run`);
  return tool.executor ? tool.executor.execute(input, context) : tool.execute?.(input, context);
};

/** A tool that ends because it was told to brings nothing late: it throws what it was told, or an error of that name. */
const isObedience = (end: ToolEnd, { reason }: AbortSignal): boolean =>
  end.type === 'threw' && (end.error === reason || (end.error instanceof Error && end.error.name === 'AbortError'));

/** Stands for work that was given up. */
export const abandoned = Symbol('given up');

/** Waits for work, but no longer than the signal allows: code of the program's own may never settle. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof abandoned> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(abandoned);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop));
  });
}

/** The longest time a timer can be set for, in milliseconds. One set for longer goes off at once, so that it must be none. */
export const longestTimer = 2 ** 31 - 1;
