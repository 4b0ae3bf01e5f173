import { failureOf } from '../../execute/tool-result.ts';
import { hasCode } from '../../json/toolmend-error.ts';
import { type RunEvent, type RunFact, type RunFailure, runEnds } from '../../log/events.ts';
import { applyEvent, reopen } from '../../log/fold.ts';
import { type RedactedRun, type RedactRun, redactEvent } from '../../log/journal.ts';
import { redactor } from '../../log/redact/redact.ts';
import { newRunState, type RunState } from '../../log/state.ts';
import { SequenceTaken, type Store } from '../../log/store.ts';

/** How many times more attempts a run has if tools finished in between. */
const patience = 4;
const firstDelay = 1000;
const longestDelay = 60_000;

/** How long to wait before the next attempt, in milliseconds. Doubles each time, up to a minute. */
export const retryDelay = (failed: number): number =>
  Math.min(longestDelay, firstDelay * 2 ** Math.max(0, failed - 1)) * (0.75 + Math.random() / 4);

/** What a failed attempt led to. */
export interface Attempts {
  readonly failed: number;
  readonly isDead: boolean;
}

/** Options of `recordAttempt`. */
interface AttemptOptions {
  readonly maxAttempts: number;
  /** Removes secrets from the error. */
  readonly redact?: RedactRun | undefined;
}

const byForm = (): RedactRun => redactor({ env: process.env });

/**
 * Records a failed attempt of a run, before anything else of the run is loaded, because that may be what kills a worker.
 * Ends the run as `dead` if it has failed too often.
 */
export async function recordAttempt(
  store: Store,
  run: string,
  error: RunFailure,
  { maxAttempts, redact = byForm() }: AttemptOptions,
): Promise<Attempts> {
  const { seq, ended, attempts, started } = await scan(store, run);
  // It ended, and only its queue entry was left.
  if (seq === 0 || (ended && ended.end !== 'error')) return { failed: attempts.failed, isDead: ended?.end === 'dead' };
  const failed = attempts.failed + 1;
  const isDead = attempts.withoutProgress + 1 >= maxAttempts || failed >= maxAttempts * patience;
  const facts: RunFact[] = [{ type: 'attempt.failed', attempt: failed, error }];
  const message = `${runEnds.dead}: ${failed} attempts failed, the last with ${error.name}: ${error.message}`;
  if (isDead) facts.push({ type: 'run.ended', end: 'dead', message, errors: [...attempts.errors, error] });
  const events = facts.map((fact, at) => ({ ...fact, run, seq: seq + 1 + at, at: Date.now() }));
  await store.append(events.map((event) => cleaned(event, redact, { run, context: started?.context })));
  return { failed, isDead };
}

/** An event without secrets. What stops the run may be its own `redact`, and the attempt must count. */
function cleaned(event: RunEvent, redact: RedactRun, run: RedactedRun): RunEvent {
  try {
    return redactEvent(event, (one) => redact(one, run));
  } catch {
    return byForm()(event, run);
  }
}

const counted: ReadonlySet<string> = new Set([
  'run.started',
  'run.resumed',
  'run.ended',
  'attempt.failed',
  'tool.finished',
]);

/** The attempts of a run, without its content. A log that is too large to load must not prevent counting. */
async function scan(store: Store, run: string): Promise<RunState> {
  const state = newRunState(run);
  for await (const event of store.read(run)) {
    state.seq = event.seq;
    if (counted.has(event.type)) applyEvent(state, event);
    if (event.type === 'message.added') reopen(state);
  }
  return state;
}

/** Postgres error codes of a server that is unavailable, full or shutting down. */
const outages = /^(?:08|28|53|57P|58)/;

/**
 * The failure to count for an error that stopped an attempt. Undefined if it isn't the run's: the worker stopped, the
 * database was unavailable, or another process wrote the run.
 */
export function countedFailure(error: unknown): RunFailure | undefined {
  if (hasCode(error, 'run_failed')) return error.cause as RunFailure;
  const cause = hasCode(error, 'storage_failed') ? error.cause : error;
  if (hasCode(cause, 'aborted') || SequenceTaken.isInstance(cause)) return undefined;
  return isOutage(cause) ? undefined : failureOf(error);
}

/** Whether the database was unavailable. */
export function isOutage(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return hasCode(error, 'connection_failed') || (typeof code === 'string' && outages.test(code));
}
