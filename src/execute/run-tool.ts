import type { Tool, ToolContext } from '../tools/tool.ts';
import { longestTimer } from './timeouts.ts';

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
}

/**
 * Runs a tool under a deadline and a signal, and settles by then whatever the tool does: one that ignores its signal is
 * given up, and what it brings later goes to `late`. Never throws.
 */
export function runTool(
  tool: Tool,
  value: unknown,
  context: Omit<ToolContext, 'signal'>,
  { timeout, signal, late }: RunToolOptions,
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
    started(tool, value, { ...context, signal: control.signal }).then((end) => {
      if (!settled) settle(end);
      else if (!isObedience(end, control.signal)) late?.(end);
    });
  });
}

async function started(tool: Tool, value: unknown, context: ToolContext): Promise<ToolEnd> {
  try {
    if (!tool.executor && !tool.execute) throw new Error(`The tool '${tool.name}' has no way to run`);
    const output = tool.executor ? await tool.executor.execute(value, context) : await tool.execute?.(value, context);
    return { type: 'returned', output };
  } catch (error) {
    return { type: 'threw', error };
  }
}

/** A tool that ends because it was told to brings nothing late: it throws what it was told, or an error of that name. */
const isObedience = (end: ToolEnd, { reason }: AbortSignal): boolean =>
  end.type === 'threw' && (end.error === reason || (end.error instanceof Error && end.error.name === 'AbortError'));
