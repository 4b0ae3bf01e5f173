import type { RunEnd, RunEvent } from '../log/events.ts';
import { applyEvent, isInherited } from '../log/fold.ts';
import { type CallRecord, newRunState, type RunState } from '../log/state.ts';
import type { AssistantPart, Usage } from '../model/index.ts';
import { ConfigurationValidationError } from '../tools/config-error.ts';

/** How much a loop may use before it is ended; counted anew from each message that was sent to an idle run. */
export interface Budgets {
  /** Turns of the model. */
  readonly steps: number;
  /** Turns on one tool, or in a row, without a valid call. The last of them is asked for that tool alone. */
  readonly failedTurns: number;
  /** The same call with the same result. */
  readonly identicalCalls: number;
  /** Answers with nothing in them, in a row. */
  readonly emptyTurns: number;
  /** Times one turn is asked again after it broke off. */
  readonly brokenTurns: number;
  /** Tokens read and written. */
  readonly tokens: number;
  /** Milliseconds, less those a person took to decide. What is under way when they are over is stopped. */
  readonly time: number;
  /** Tools that run at once, one at least. */
  readonly parallel: number;
}

export const defaultBudgets: Budgets = {
  steps: 50,
  failedTurns: 4,
  identicalCalls: 5,
  emptyTurns: 3,
  brokenTurns: 2,
  tokens: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  parallel: 3,
};

/** The budgets with their defaults. One that is no number would never be used up, so that it is refused. */
export function settleBudgets(given: Partial<Budgets> = {}): Budgets {
  const settled: Record<string, number> = { ...defaultBudgets };
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new ConfigurationValidationError(
        `The budget ${field} is ${String(value)}. Give it a number that is not negative.`,
        { configType: 'agent', field: `budgets.${field}` },
      );
    }
    settled[field] = value;
  }
  return settled as unknown as Budgets;
}

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

/** What a run has used of its budgets since the last message to it while it was idle. */
export interface UsedBudget {
  readonly tally: Tally | undefined;
  /** Its loop has ended: the next message begins a new count. */
  readonly isOver: boolean;
}

/** Counts what a run has used from its log alone, so that a process that takes it up goes on counting where it stood. */
export function usedBudget(events: readonly RunEvent[], budgets: Budgets): UsedBudget {
  const state = newRunState();
  let tally: Tally | undefined;
  let isOver = true;
  let isResting = false;
  let last = 0;
  let results = new Set<string>();
  const settle = (): void => {
    const calls = [...results]
      .map((id) => state.calls.get(id))
      .filter((call): call is CallRecord => call !== undefined);
    if (calls.length > 0) tally?.count(calls);
    results = new Set();
  };
  for (const event of events) {
    applyEvent(state, event);
    const { type, at, seq } = event;
    // What the run used of which this one is a fork is not its own.
    if (isInherited(state, seq)) {
      isOver = type === 'run.ended' && event.end !== 'awaiting_approval';
      continue;
    }
    if (!tally && !isOver && state.started?.from) tally = new Tally(budgets, at);
    if (type === 'message.added' && isOver) {
      tally = new Tally(budgets, at);
      isOver = false;
      isResting = false;
    } else if (tally && type === 'run.resumed' && !isResting) {
      // Between the last word of a process that ended and the first of the next, nobody worked.
      tally.rest(last);
      tally.wake(at);
    } else if (tally && isResting && type !== 'run.ended' && type !== 'run.resumed') {
      tally.wake(at);
      isResting = false;
    }
    last = at;
    if (results.size > 0 && settles.has(type)) settle();
    if (type === 'run.ended') {
      tally?.rest(at);
      isResting = true;
      isOver = event.end !== 'awaiting_approval';
    } else if (tally) count(tally, event, results, state);
  }
  settle();
  if (!isResting) tally?.rest(last);
  return { tally, isOver };
}

/** Results that came since the last of these belong to one turn. */
const settles: ReadonlySet<RunEvent['type']> = new Set(['turn.requested', 'run.ended', 'run.resumed']);

function count(tally: Tally, event: RunEvent, results: Set<string>, state: RunState): void {
  switch (event.type) {
    case 'turn.requested':
      tally.steps += 1;
      break;
    case 'turn.completed':
      tally.tokens += tokensOf(event.response.usage);
      tally.answered(isEmpty(event.response.message.parts));
      break;
    case 'turn.broken':
      tally.tokens += tokensOf(event.response.usage);
      if (event.error.kind !== 'aborted') tally.broken += 1;
      break;
    case 'call.refused':
    case 'call.denied':
    case 'tool.finished':
    case 'call.settled':
      if (state.calls.has(event.callId)) results.add(event.callId);
      break;
    default:
  }
}

const tokensOf = (usage: Usage | undefined): number => (usage?.input || 0) + (usage?.output || 0);

const isEmpty = (parts: readonly AssistantPart[]): boolean =>
  !parts.some((part) => (part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'));
