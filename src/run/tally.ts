import type { CallRecord } from '../log/call-record.ts';
import type { RunEnd } from '../log/run-end.ts';
import type { Budgets } from './budgets.ts';

const unwritten: ReadonlySet<string | undefined> = new Set(['validation', 'unknown_tool', 'truncated']);

/** Whether a call was refused for the way it was written; one that ran and failed was written well. */
const isBad = ({ errorType, key }: CallRecord): boolean => key === undefined && unwritten.has(errorType);

/** Calls of tools that do not exist fail together, whatever their names. */
const toolOf = ({ name, errorType }: CallRecord): string => (errorType === 'unknown_tool' ? '' : name);

/** Counts what a loop does, so that it ends. */
export class Tally {
  readonly #budgets: Budgets;
  #begun: number;
  #restedAt: number | undefined;
  readonly #failed = new Map<string, number>();
  readonly #same = new Map<string, number>();
  #withoutValid = 0;
  #most = 0;
  steps = 0;
  empty = 0;
  broken = 0;
  tokens = 0;

  constructor(budgets: Budgets, now = Date.now()) {
    this.#budgets = budgets;
    this.#begun = now;
  }

  /** Which failed try on a tool the next bad call would be. */
  tries(tool: string): number {
    return (this.#failed.get(tool) ?? 0) + 1;
  }

  /** Turns count and not calls: three bad calls of one tool in one turn are one failure. */
  count(calls: readonly CallRecord[]): void {
    const good = new Set(calls.filter((call) => !isBad(call)).map(toolOf));
    const bad = new Set(calls.filter(isBad).map(toolOf));
    this.#withoutValid = good.size > 0 ? 0 : this.#withoutValid + 1;
    for (const tool of good) this.#failed.delete(tool);
    for (const tool of bad) if (!good.has(tool)) this.#failed.set(tool, this.tries(tool));
    for (const call of calls) if (!isBad(call)) this.#countSame(call);
  }

  /** The tool that has one last try left, and is then asked for alone. */
  lastTry(): string | undefined {
    const last = this.#budgets.failedTurns - 1;
    if (this.#withoutValid < last) return undefined;
    return [...this.#failed].find(([tool, times]) => tool !== '' && times >= last)?.[0];
  }

  /** The budget that is used up, if one is. */
  over(now = Date.now()): RunEnd | undefined {
    const { failedTurns, identicalCalls, emptyTurns, steps, tokens, time } = this.#budgets;
    const most = Math.max(this.#withoutValid, ...this.#failed.values());
    // A budget of none is used up by the first failure, not by the first turn.
    if (most > 0 && most >= failedTurns) return 'invalid_calls';
    if (this.#most > 0 && this.#most >= identicalCalls) return 'repeated_calls';
    if (this.empty > 0 && this.empty >= emptyTurns) return 'empty';
    if (this.steps >= steps) return 'steps';
    if (this.tokens >= tokens) return 'tokens';
    return now - this.#begun >= time ? 'time' : undefined;
  }

  /** The loop waits for a person, or has ended: that time is not the run's. */
  rest(now = Date.now()): void {
    this.#restedAt ??= now;
  }

  /** Counts an answer that holds something, or nothing. */
  answered(isEmpty: boolean): void {
    this.broken = 0;
    this.empty = isEmpty ? this.empty + 1 : 0;
  }

  /** The loop goes on; gives the milliseconds it has left. */
  wake(now = Date.now()): number {
    this.#begun += now - (this.#restedAt ?? now);
    this.#restedAt = undefined;
    return this.#budgets.time - (now - this.#begun);
  }

  #countSame({ name, input, result }: CallRecord): void {
    const key = JSON.stringify([name, input, result?.content]);
    const times = (this.#same.get(key) ?? 0) + 1;
    this.#same.set(key, times);
    this.#most = Math.max(this.#most, times);
  }
}
