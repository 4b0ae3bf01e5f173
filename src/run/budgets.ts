import { longestTimer } from '../execute/run-tool.ts';
import { checkArgument, checkNames, isObject } from '../json/value.ts';
import { pausedEnds, type RunEnd, type RunEvent } from '../log/events.ts';
import { applyEvent, isInherited } from '../log/fold.ts';
import { type CallRecord, newRunState, type RunState } from '../log/state.ts';
import type { AssistantPart, Usage } from '../model/index.ts';
import { ConfigurationValidationError } from '../tools/config-error.ts';

/** Limits of a loop. Counting restarts with each message to an idle run. */
export interface Budgets {
  /** Model turns. */
  readonly steps: number;
  /** Turns without a valid call, per tool or in a row. The last attempt offers only that tool. */
  readonly failedTurns: number;
  /** Identical calls with identical results, except for tools that are `repeatable`. */
  readonly identicalCalls: number;
  /** Empty responses in a row. */
  readonly emptyTurns: number;
  /** Retries of turns that ended in a retryable model error. */
  readonly modelRetries: number;
  /** Input and output tokens. */
  readonly tokens: number;
  /** Milliseconds, without the time spent waiting for approvals and results from outside. Running work is aborted when they are over. */
  readonly time: number;
  /** Tools that run in parallel, at least 1. */
  readonly parallel: number;
}

export const defaultBudgets: Budgets = {
  steps: 50,
  failedTurns: 4,
  identicalCalls: 5,
  emptyTurns: 3,
  modelRetries: 2,
  tokens: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  parallel: 3,
};

/** Fills in the defaults. Throws for values that aren't numbers, because those would never be used up. */
export function settleBudgets(given: Partial<Budgets> = {}): Budgets {
  checkArgument(isObject(given), 'budgets', 'an object of numbers', given);
  checkNames(given, Object.keys(defaultBudgets), 'budget');
  const settled: Record<string, number> = { ...defaultBudgets };
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new ConfigurationValidationError(
        `Invalid budget ${field} ${String(value)}: expected a number of 0 or more.`,
        { configType: 'agent', field: `budgets.${field}` },
      );
    }
    settled[field] = value;
  }
  return settled as unknown as Budgets;
}

const unwritten: ReadonlySet<string | undefined> = new Set(['validation', 'unknown_tool', 'truncated']);

/** Whether a call was refused because it was invalid. A call that ran and failed was valid. */
const isBad = ({ errorType, key }: CallRecord): boolean => key === undefined && unwritten.has(errorType);

/** Calls of unknown tools count together, whatever their names. */
const toolOf = ({ name, errorType }: CallRecord): string => (errorType === 'unknown_tool' ? '' : name);

/** Counts the usage of a loop. */
export class Tally {
  readonly #budgets: Budgets;
  /** Milliseconds before the clock last started. */
  #spent = 0;
  /** When the clock started; undefined while it rests. */
  #since: number | undefined;
  readonly #failed = new Map<string, number>();
  readonly #same = new Map<string, number>();
  #withoutValid = 0;
  #most = 0;
  steps = 0;
  empty = 0;
  modelErrors = 0;
  tokens = 0;

  /**
   * Starts the clock. Times come from the monotonic clock, because the wall clock can jump, or all from the log. Between
   * the two, the clock must rest.
   */
  constructor(budgets: Budgets, now = performance.now()) {
    this.#budgets = budgets;
    this.#since = now;
  }

  /** Number of the next failed attempt on a tool. */
  tries(tool: string): number {
    return (this.#failed.get(tool) ?? 0) + 1;
  }

  /** Counts turns, not calls: three invalid calls of one tool in one turn are one failure. */
  count(calls: readonly CallRecord[]): void {
    if (calls.length === 0) return;
    const [good, bad] = [new Set<string>(), new Set<string>()];
    for (const call of calls) (isBad(call) ? bad : good).add(toolOf(call));
    this.#withoutValid = good.size > 0 ? 0 : this.#withoutValid + 1;
    for (const tool of good) this.#failed.delete(tool);
    for (const tool of bad) if (!good.has(tool)) this.#failed.set(tool, this.tries(tool));
    for (const call of calls) {
      // A call that waits is valid already, and counts again with its result.
      if (!call.result) continue;
      this.spend([call]);
      // A tool without `execute` never starts.
      if (!isBad(call) && !(call.began ?? call.waiting)?.repeatable) this.#countSame(call);
    }
  }

  /** Counts the tokens of calls that have their result. */
  spend(calls: readonly CallRecord[]): void {
    for (const { usage } of calls) this.tokens += tokensOf(usage);
  }

  /** The tool with one attempt left, which is then offered alone. */
  lastTry(): string | undefined {
    const last = this.#budgets.failedTurns - 1;
    if (this.#withoutValid < last) return undefined;
    return [...this.#failed].find(([tool, times]) => tool !== '' && times >= last)?.[0];
  }

  /** The budget that is used up, if any. */
  over(now = performance.now()): RunEnd | undefined {
    const { failedTurns, identicalCalls, emptyTurns, steps, tokens, time } = this.#budgets;
    const most = Math.max(this.#withoutValid, ...this.#failed.values());
    // A budget of 0 is used up by the first failure, not by the first turn.
    if (most > 0 && most >= failedTurns) return 'invalid_calls';
    if (this.#most > 0 && this.#most >= identicalCalls) return 'repeated_calls';
    if (this.empty > 0 && this.empty >= emptyTurns) return 'empty';
    if (this.steps >= steps) return 'steps';
    if (this.tokens >= tokens) return 'tokens';
    return this.#timeUsed(now) >= time ? 'time' : undefined;
  }

  /** Stops the clock while the loop waits for a person or has ended. */
  rest(now = performance.now()): void {
    this.#spent = this.#timeUsed(now);
    this.#since = undefined;
  }

  #timeUsed(now: number): number {
    return this.#spent + (this.#since === undefined ? 0 : Math.max(0, now - this.#since));
  }

  /** Counts a response, which may be empty. */
  answered(isEmpty: boolean): void {
    this.modelErrors = 0;
    this.empty = isEmpty ? this.empty + 1 : 0;
  }

  /** Restarts the clock, and returns the remaining milliseconds. */
  wake(now = performance.now()): number {
    this.#since ??= now;
    return this.#budgets.time - this.#timeUsed(now);
  }

  #countSame({ name, input, result, redacted }: CallRecord): void {
    // Calls that differ in a secret are equal in the log.
    if (redacted) return;
    const key = JSON.stringify([name, input, result?.content]);
    const times = (this.#same.get(key) ?? 0) + 1;
    this.#same.set(key, times);
    this.#most = Math.max(this.#most, times);
  }
}

/** The usage of a run since the last message while it was idle. */
export interface UsedBudget {
  readonly tally: Tally | undefined;
  /** Whether its loop has ended, so that the next message starts a new count. */
  readonly isOver: boolean;
}

/**
 * Restores the usage of a run from its log, so that a resumed run continues counting.
 *
 * @param hasApprover whether an approver decides in the process of the run, whose time doesn't count
 */
export function usedBudget(events: readonly RunEvent[], budgets: Budgets, hasApprover = false): UsedBudget {
  const state = newRunState();
  let tally: Tally | undefined;
  let isOver = true;
  let isResting = false;
  let last = 0;
  let results = new Set<string>();
  /** Calls about which the approver is asked. */
  const asked = new Set<string>();
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
    // Usage of the original run doesn't count for a fork.
    if (isInherited(state, seq)) {
      isOver = type === 'run.ended' && !pauses.has(event.end);
      continue;
    }
    if (!tally && !isOver && state.started?.from) tally = new Tally(budgets, at);
    if (type === 'message.added' && isOver) {
      tally = new Tally(budgets, at);
      isOver = false;
      isResting = false;
    } else if (tally && type === 'run.resumed' && !isResting) {
      // The time between two processes doesn't count.
      tally.rest(last);
      tally.wake(at);
    } else if (tally && isResting && !resting.has(type)) {
      tally.wake(at);
      isResting = false;
    }
    last = at;
    if (tally && hasApprover) restForApprover(tally, event, asked);
    if (results.size > 0 && settles.has(type)) settle();
    if (type === 'run.ended') {
      tally?.rest(at);
      isResting = true;
      isOver = !pauses.has(event.end);
    } else if (tally) count(tally, event, results, state);
  }
  settle();
  if (!isResting) tally?.rest(last);
  return { tally, isOver };
}

/** Stops the clock while the approver is asked, as `startDeadline` does. */
function restForApprover(tally: Tally, event: RunEvent, asked: Set<string>): void {
  const { type, at } = event;
  if (type === 'run.ended' || type === 'run.resumed') asked.clear();
  else if (type === 'approval.requested') {
    asked.add(event.callId);
    tally.rest(at);
  } else if ('callId' in event && asked.delete(event.callId) && asked.size === 0) tally.wake(at);
}

/** Ends after which the same count continues. */
const pauses: ReadonlySet<string | undefined> = new Set([...pausedEnds, 'error', 'dead']);

/** Events that don't restart the clock of a run that rests. */
const resting: ReadonlySet<RunEvent['type']> = new Set(['run.ended', 'run.resumed', 'attempt.failed']);

/** Events that end a turn; the results since the previous one belong to it. */
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
    case 'turn.failed':
      tally.tokens += tokensOf(event.response.usage);
      if (event.error.kind !== 'aborted') tally.modelErrors += 1;
      break;
    case 'call.refused':
    case 'call.denied':
    case 'approval.requested':
    case 'result.requested':
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

/** The end of the time budget. */
export interface Deadline {
  /** Aborts when the time is over; undefined without a limit. */
  readonly signal: AbortSignal | undefined;
  /** Does work without counting its time, unless the signal aborts. */
  resting<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Stops the clock. */
  close(): void;
}

/** Starts the clock of a tally. It rests as long as anybody is asked for approval. */
export function startDeadline(tally: Tally): Deadline {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waits = 0;
  let isClosed = false;
  const isLimited = tally.wake() <= longestTimer;
  const start = (): void => {
    const left = tally.wake();
    if (!isLimited) return;
    timer = setTimeout(
      () => over.abort(new DOMException('The time budget is used up', 'TimeoutError')),
      Math.max(0, Math.ceil(left)),
    );
    timer.unref();
  };
  const rest = (): void => {
    clearTimeout(timer);
    tally.rest();
  };
  start();
  return {
    signal: isLimited ? over.signal : undefined,
    async resting(work, signal) {
      if (waits === 0) rest();
      waits += 1;
      let isWaiting = true;
      const end = (): void => {
        if (!isWaiting) return;
        isWaiting = false;
        waits -= 1;
        if (waits === 0 && !isClosed) start();
      };
      // An approver that ignores its signal may never settle.
      signal.addEventListener('abort', end, { once: true });
      try {
        return await work();
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
    },
    close() {
      isClosed = true;
      rest();
    },
  };
}
