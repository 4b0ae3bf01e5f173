import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { all } from '../../test/log/store-suite.ts';
import { crowdAgent } from '../../test/postgres/crowd.ts';
import { judgeSoak, type Promised } from './judge-soak.ts';

const course = {
  killed: 0,
  decided: 0,
  meant: 3,
  left: 0,
  seconds: 1,
  workers: 1,
  agents: 1,
  restarted: 0,
  done: 0,
  heartbeat: 10,
  failed: [] as string[],
  sent: [] as [string, string][],
  latencies: [] as number[],
  claimed: new Map<string, number[]>(),
};
const marks = ['look a/a', 'send a/b', 'put a/c'];

/** The log of a run that went as it should. */
async function sound(): Promise<RunEvent[]> {
  const store = memoryStore();
  const agent = crowdAgent(store, '/dev/null');
  const run = await agent.resume(await agent.submit('Go', { id: 'a' }));
  await run.continue().result;
  return all(store, 'a');
}

const broken = (log: RunEvent[], left: string[] = marks, seen: Partial<typeof course> = {}): Promised[] =>
  Object.entries(judgeSoak([log], left, { ...course, ...seen }).broken)
    .filter(([, times]) => times > 0)
    .map(([what]) => what as Promised);

describe('what a soak is judged by', () => {
  it('F17 F18 F20 a run that went as it should breaks no promise', async () => {
    expect(broken(await sound())).toEqual([]);
  });

  it.each<[Promised, (log: RunEvent[]) => Promised[]]>([
    ['runs that did not end as done', (log) => broken(log.slice(0, -1))],
    ['non-repeatable calls that ran twice', (log) => broken(log, [...marks, 'send a/b'])],
    ['sequences with a gap or a repetition', (log) => broken(log.map((event) => ({ ...event, seq: event.seq + 1 })))],
    ['intended calls that were not made', (log) => broken(log, marks, { meant: 4 })],
    ['calls without exactly one result', (log) => broken(log.flatMap(twiceWhereFinished).map(renumbered))],
    ['effects without a log entry', (log) => broken(log, [...marks, 'pay a/z'])],
    ['runs left over in the log', (log) => broken(log, marks, { left: 1 })],
    ['commands that failed', (log) => broken(log, marks, { failed: ['cancel: no'] })],
    ['messages that are not in the log exactly once', (log) => broken(log, marks, { sent: [['a', 'More']] })],
    [
      'runs that waited longer than a minute after they lost their worker',
      (log) => broken(log.flatMap(lostAfterStart(61_000)).map(renumbered)),
    ],
  ])('%s are found', async (promise, judge) => {
    expect(judge(await sound())).toEqual([promise]);
  });

  it('a poisonous run must be dead after five attempts', async () => {
    const special = { cancelled: new Set<string>(), poisonous: new Set(['a']) };
    const log = await sound();
    const died = (times: number): RunEvent[] => [
      ...log.slice(0, -1),
      ...Array.from({ length: times }, () => failed),
      { ...failed, type: 'run.ended', end: 'dead', message: '' },
    ];
    const faults = (times: number): number =>
      judgeSoak([died(times).map(renumbered)], marks, { ...course, meant: 0 }, special).broken[
        'poisonous runs that are not dead within five attempts'
      ];
    expect([faults(5), faults(6)]).toEqual([0, 1]);
    expect(judgeSoak([log], marks, { ...course, meant: 0 }, special).broken).toMatchObject({
      'poisonous runs that are not dead within five attempts': 1,
    });
  });

  it('a run that was claimed long after it was submitted has waited since then', async () => {
    const late = (event: RunEvent): RunEvent =>
      event.type === 'attempt.failed' ? { ...event, at: event.at + 61_000 } : event;
    const log = (await sound()).flatMap(lostAfterStart(61_000)).map(renumbered).map(late);
    const lost = log.find(({ type }) => type === 'attempt.failed')?.at ?? 0;
    expect(broken(log, marks, { claimed: new Map([['a', [lost - 20_000, lost]]]) })).toEqual([]);
    // The claim of the next attempt is no sign of the one before.
    expect(broken(log, marks, { claimed: new Map([['a', [lost - 100, lost]]]) })).toHaveLength(1);
  });

  it('a call that reads may run again', async () => {
    expect(broken(await sound(), [...marks, 'look a/a'])).toEqual([]);
  });
});

const twiceWhereFinished = (event: RunEvent): RunEvent[] =>
  event.type === 'tool.finished' && event.callId === 'b' ? [event, event] : [event];
const failed = {
  type: 'attempt.failed',
  attempt: 1,
  error: { name: 'x', message: 'x' },
  run: 'a',
  seq: 1,
  at: 0,
} as const;
/** A failed attempt after the first event, and everything else that much later. */
const lostAfterStart =
  (ms: number) =>
  (event: RunEvent, index: number): RunEvent[] =>
    index === 1
      ? [
          { ...failed, at: event.at },
          { ...event, at: event.at + ms },
        ]
      : [{ ...event, at: event.at + (index && ms) }];
const renumbered = (event: RunEvent, at: number): RunEvent => ({ ...event, seq: at + 1 });
