import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';

/** The observed course of the soak test. */
export interface Course {
  readonly killed: number;
  readonly decided: number;
  /** The number of calls that the runs should make. */
  readonly meant: number;
  /** Runs that are still due at the end. */
  readonly left: number;
  readonly seconds: number;
  readonly workers: number;
}

/** The result. */
export interface Verdict extends Course {
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
  | 'runs left over in the log';

const answering = new Set<RunEvent['type']>(['call.refused', 'call.denied', 'tool.finished', 'call.settled']);
const once = /^(?:send|pay) /;

/** Checks every log and every line that a tool wrote. */
export function judgeSoak(logs: readonly RunEvent[][], marks: readonly string[], course: Course): Verdict {
  const events = logs.flat();
  const states = logs.map((log) => fold(log));
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
  const calls = states.flatMap((state) => [...state.calls.keys()].map((id) => `${state.run} ${id}`));
  return {
    ...course,
    ...{ runs: logs.length, events: events.length, calls: calls.length },
    takeovers: events.filter(({ type }) => type === 'run.resumed').length - logs.length - course.decided,
    unknown: events.filter(({ type }) => type === 'call.settled').length,
    once: [...effects.keys()].filter((mark) => once.test(mark)).length,
    again: often((mark) => !once.test(mark)),
    broken: {
      'runs that did not end as done': states.filter(({ ended }) => ended?.end !== 'done').length,
      'non-repeatable calls that ran twice': often((mark) => once.test(mark)),
      'sequences with a gap or a repetition': logs.filter((log) => log.some(({ seq }, at) => seq !== at + 1)).length,
      'intended calls that were not made': course.meant - calls.length,
      'calls without exactly one result': calls.filter((call) => results.get(call) !== 1).length,
      'effects without a log entry': [...effects.keys()].filter((mark) => !started.has(mark)).length,
      'runs left over in the log': course.left,
    },
  };
}
