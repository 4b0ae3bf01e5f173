import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import type { RunState } from '../../src/log/state.ts';

/** The observed course of the soak test. */
export interface Course {
  readonly killed: number;
  readonly decided: number;
  /** How often Postgres was restarted. */
  readonly restarted: number;
  readonly agents: number;
  /** Confirmed commands, and those that failed, with their messages. */
  readonly done: number;
  readonly failed: readonly string[];
  /** Messages that were sent, by their run. */
  readonly sent: readonly (readonly [run: string, message: string])[];
  /** Milliseconds until each command was confirmed. */
  readonly latencies: readonly number[];
  /** The number of calls that the runs should make. */
  readonly meant: number;
  /** Runs that are still due at the end. */
  readonly left: number;
  readonly seconds: number;
  readonly workers: number;
  /** When workers claimed a run, by its id. */
  readonly claimed?: ReadonlyMap<string, readonly number[]>;
  /** Seconds without a heartbeat before a run goes to another worker. */
  readonly heartbeat: number;
}

/** Runs that end in another way than the others. */
export interface Special {
  readonly cancelled: ReadonlySet<string>;
  readonly poisonous: ReadonlySet<string>;
}

/** The result. */
export interface Verdict extends Omit<Course, 'sent' | 'latencies' | 'claimed' | 'heartbeat'> {
  /** Poisonous runs. */
  readonly poison: number;
  /** The most attempts of a poisonous run without progress. */
  readonly attempts: number;
  /** The 99th percentile of the time until a command was confirmed, in milliseconds. */
  readonly latency: number;
  /** The longest time in which a run that lost its worker waited for its next attempt, in milliseconds. */
  readonly longestWait: number;
  readonly runs: number;
  readonly events: number;
  readonly calls: number;
  /** How often a run was resumed, by another worker or after a decision. */
  readonly takeovers: number;
  /** Calls of tools that must not run twice, interrupted by a kill and reported as unknown. */
  readonly unknown: number;
  /** Effects of tools that must not run twice. */
  readonly once: number;
  /** How often a tool that reads or is idempotent ran again under its key. */
  readonly again: number;
  /** Each guarantee, and how often it was broken. */
  readonly broken: Readonly<Record<Promised, number>>;
}

export type Promised =
  | 'runs that did not end as done'
  | 'non-repeatable calls that ran twice'
  | 'sequences with a gap or a repetition'
  | 'intended calls that were not made'
  | 'calls without exactly one result'
  | 'effects without a log entry'
  | 'poisonous runs that are not dead within five attempts'
  | 'runs that waited longer than a minute after they lost their worker'
  | 'messages that are not in the log exactly once'
  | 'commands that failed'
  | 'runs left over in the log';

const mostAttempts = 5;
/** The longest delay before a retry. */
const longestWait = 60_000;

/** Failed attempts since a tool last finished. */
function attemptsOf(log: readonly RunEvent[]): number {
  const last = log.findLastIndex(({ type }) => type === 'tool.finished');
  return log.slice(last + 1).filter(({ type }) => type === 'attempt.failed').length;
}

/**
 * Milliseconds from the last sign of each lost attempt to the next attempt: its last event, or its claim. A worker may die
 * before it has written anything, and then the last event is of the time at which the run was submitted.
 */
function waitsOf(log: readonly RunEvent[], claimed: readonly number[], heartbeat: number): number[] {
  return log.flatMap(({ type, at }, index) => {
    const [before, after] = [log[index - 1], log[index + 1]];
    if (type !== 'attempt.failed' || !before) return [];
    // Later claims are those of the next attempt: a lost one has no heartbeat for this long.
    const claims = claimed.filter((time) => time <= at - heartbeat * 900);
    return (after?.at ?? at) - Math.max(before.at, ...claims);
  });
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const answering = new Set<RunEvent['type']>(['call.refused', 'call.denied', 'tool.finished', 'call.settled']);
const once = /^(?:send|pay) /;

/** Checks every log and every line that a tool wrote. */
export function judgeSoak(
  logs: readonly RunEvent[][],
  marks: readonly string[],
  { sent, latencies, claimed, heartbeat, ...course }: Course,
  { cancelled, poisonous }: Special = { cancelled: new Set(), poisonous: new Set() },
): Verdict {
  const events = logs.flat();
  const states = logs.map((log) => fold(log));
  const ofPoison = (log: readonly RunEvent[]): boolean => poisonous.has(log[0]?.run ?? '');
  const told = new Map<string, number>();
  for (const event of events) {
    const [part] = event.type === 'message.added' ? event.message.parts : [];
    if (part?.type === 'text') told.set(`${event.run} ${part.text}`, (told.get(`${event.run} ${part.text}`) ?? 0) + 1);
  }
  const effects = new Map<string, number>();
  for (const mark of marks) effects.set(mark, (effects.get(mark) ?? 0) + 1);
  const often = (test: (mark: string) => boolean): number =>
    [...effects].filter(([mark, times]) => test(mark) && times > 1).length;
  const started = new Set(
    events.flatMap((event) => (event.type === 'tool.started' ? `${event.name} ${event.key}` : [])),
  );
  const results = new Map<string, number>();
  for (const event of events)
    if (answering.has(event.type) && 'callId' in event) {
      const key = `${event.run} ${event.callId}`;
      results.set(key, (results.get(key) ?? 0) + 1);
    }
  const [poison, innocent] = [logs.filter(ofPoison), logs.filter((log) => !ofPoison(log))];
  const waits = innocent.flatMap((log) => waitsOf(log, claimed?.get(log[0]?.run ?? '') ?? [], heartbeat));
  const isWhole = ({ run, ended }: RunState): boolean =>
    poisonous.has(run) || ended?.end === 'done' || (cancelled.has(run) && ended?.end === 'aborted');
  const meant = states.filter(({ run }) => !cancelled.has(run) && !poisonous.has(run));
  const calls = states.flatMap((state) => [...state.calls.keys()].map((id) => `${state.run} ${id}`));
  return {
    ...course,
    runs: logs.length,
    events: events.length,
    calls: calls.length,
    poison: poison.length,
    attempts: Math.max(0, ...poison.map(attemptsOf)),
    latency: percentile(latencies, 0.99),
    longestWait: Math.max(0, ...waits),
    takeovers: innocent.flat().filter(({ type }) => type === 'attempt.failed').length,
    unknown: events.filter((event) => event.type === 'call.settled' && event.was === 'unknown').length,
    once: [...effects.keys()].filter((mark) => once.test(mark)).length,
    again: often((mark) => !once.test(mark)),
    broken: {
      'runs that did not end as done': states.filter((state) => !isWhole(state)).length,
      'non-repeatable calls that ran twice': often((mark) => once.test(mark)),
      'sequences with a gap or a repetition': logs.filter((log) => log.some(({ seq }, at) => seq !== at + 1)).length,
      'intended calls that were not made': course.meant - meant.reduce((sum, state) => sum + state.calls.size, 0),
      'calls without exactly one result': calls.filter(
        // The call that a poisonous run died of has none.
        (call) => !poisonous.has(call.split(' ')[0] ?? '') && results.get(call) !== 1,
      ).length,
      'poisonous runs that are not dead within five attempts': poison.filter(
        (log) => attemptsOf(log) > mostAttempts || fold(log).ended?.end !== 'dead',
      ).length,
      'runs that waited longer than a minute after they lost their worker': waits.filter((ms) => ms > longestWait)
        .length,
      'messages that are not in the log exactly once': sent.filter(
        ([run, text]) => (told.get(`${run} ${text}`) ?? 0) !== 1,
      ).length,
      'commands that failed': course.failed.length,
      'effects without a log entry': [...effects.keys()].filter((mark) => !started.has(mark)).length,
      'runs left over in the log': course.left,
    },
  };
}
