import { afterEach, describe, expect, it, vi } from 'vitest';
import { failingStore } from '../../../test/log/failing-store.ts';
import { all } from '../../../test/log/store-suite.ts';
import { calls, plays, says } from '../../../test/run/plays.ts';
import { until } from '../../../test/until.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Commands, ReceivedCommand } from '../../log/control/commands.ts';
import { fold, stateOf } from '../../log/fold.ts';
import { memoryStore } from '../../log/memory-store.ts';
import type { Store } from '../../log/store.ts';
import { tool } from '../../tools/tool.ts';
import { type Agent, agent } from '../agent.ts';
import { agentTool } from '../agent-tool.ts';
import type { RunQueue, TakenRun } from './queue.ts';
import { startWorker, type WorkerEvent } from './worker.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a worker says of some runs, where its store is made into another and the queue knows it, or does not. */
async function worksOn(
  ids: readonly string[],
  made: (kept: Store) => Store,
  isOurs = true,
  retry?: RunQueue['retry'],
): Promise<{ heard: WorkerEvent[]; told: string[] }> {
  const kept = memoryStore();
  const of = (store: Store) => agent({ model: plays(() => [says('Done.')]), store });
  const waiting: TakenRun[] = [];
  for (const id of ids) waiting.push({ job: id, claim: 0, run: await of(kept).submit('Go', { id }) });
  const told: string[] = [];
  const telling = (name: string) => async () => {
    told.push(name);
    return isOurs;
  };
  const queue: RunQueue = {
    done: telling('done'),
    retry: retry ?? telling('retry'),
    touch: async (taken) => (isOurs ? taken : []),
    add: async () => {},
    take: async (atMost, { suspects = false } = {}) => (suspects ? [] : waiting.splice(0, atMost)),
    close: async () => {},
  };
  const stateOf = async (run: string) => fold(await all(kept, run));
  const heard: WorkerEvent[] = [];
  const settings = {
    pollInterval: 5,
    store: kept,
    stateOf,
    sweep: async () => {},
    on: (event: WorkerEvent) => void heard.push(event),
  };
  const worker = startWorker(of(made(kept)), queue, { ...settings, concurrency: 2 });
  await until(() => heard.length === 2 * ids.length);
  await worker.stop();
  return { heard, told };
}

const failing = (n: number) => (kept: Store) => failingStore(kept, n, 'before');

/** A store where somebody else writes the run in the moment it is taken up. */
const rivalled = (kept: Store): Store => ({
  ...kept,
  append: async (events) => {
    const [first] = events;
    if (first?.type === 'run.resumed') await kept.append([first]);
    await kept.append(events);
  },
});

describe('a worker', () => {
  it.each<[string, (kept: Store) => Store, boolean, string[], object]>([
    ['ends a run that is its own', failing(1000), true, ['done'], { type: 'ended', end: 'done' }],
    ['F20 loses a run that ended after another had taken it', failing(1000), false, ['done'], { type: 'lost' }],
    ['F19 says that a run is to be tried again', failing(3), true, ['retry'], { type: 'failed' }],
    ['F20 loses a run that failed after another had taken it', failing(3), false, [], { type: 'lost' }],
    ['F20 loses a run that another has taken up', rivalled, false, ['retry'], { type: 'lost' }],
    [
      'F20 tries a run again that is its own, though another wrote in it',
      rivalled,
      true,
      ['retry'],
      { type: 'failed' },
    ],
  ])('%s', async (_, made, isOurs, tells, last) => {
    const { heard, told } = await worksOn(['a'], made, isOurs);
    expect(heard).toMatchObject([
      { type: 'taken', run: 'a' },
      { run: 'a', ...last },
    ]);
    expect(told).toEqual(tells);
  });

  it('F19 puts a run back as soon as the database is available, and does not keep it until its heartbeat is missed', async () => {
    let tries = 0;
    const retry = async (): Promise<boolean> => {
      tries += 1;
      if (tries < 3) throw new ToolmendError('connection_failed', 'The database does not respond');
      return true;
    };
    const isOut = new ToolmendError('connection_failed', 'The database does not respond');
    const out = (kept: Store): Store => ({ ...kept, append: () => Promise.reject(isOut) });
    const { heard } = await worksOn(['a'], out, true, retry);
    expect(heard.map(({ type }) => type)).toEqual(['taken', 'failed']);
    expect(tries).toBe(3);
  });

  it('keeps no listeners of ended runs, only those of active runs', async () => {
    const listening = new Map<EventTarget, number>();
    let most = 0;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const count = (target: EventTarget, by: number): void => {
      listening.set(target, (listening.get(target) ?? 0) + by);
      most = Math.max(most, listening.get(target) ?? 0);
    };
    vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
      count(this, 1);
      return addEventListener.apply(this, args);
    });
    vi.spyOn(EventTarget.prototype, 'removeEventListener').mockImplementation(function (this: EventTarget, ...args) {
      count(this, -1);
      return removeEventListener.apply(this, args);
    });
    await worksOn(
      Array.from({ length: 40 }, (_, index) => `run_${index}`),
      (kept) => kept,
    );
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(10);
  });
});

/** What is in the log of a run that a worker retries with a message from a worker that died. */
async function retried(isEnded: boolean): Promise<string[]> {
  const store = memoryStore();
  const acknowledged: string[] = [];
  const quick = plays(() => [says('Done.')]);
  // Until both have arrived, the loop waits for the model.
  const slow: typeof quick = {
    ...quick,
    async *stream(...args) {
      if (!isEnded) await until(() => acknowledged.length > 1);
      yield* quick.stream(...args);
    },
  };
  const helper = agent({ model: slow, store });
  const run = await helper.submit('Go', { id: 'r' });
  if (isEnded) await (await helper.resume(run)).continue().result;
  const message = { role: 'user', parts: [{ type: 'text', text: 'More' }] } as const;
  const received = [{ id: '7', run, command: { type: 'send', message } }] as const;
  let notify = (_run: string): void => {};
  const commands = {
    listen: (listener: typeof notify) => {
      notify = listener;
      return () => {};
    },
    // The notification arrives while the worker takes the commands over.
    takeOver: async () => {
      notify(run);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return received;
    },
    receive: async () => received,
    acknowledge: async (id: string) => void acknowledged.push(id),
    finish: async () => {},
    release: async () => {},
  } as Partial<Commands> as Commands;
  const waiting: TakenRun[] = [{ job: 'j', claim: 1, run }];
  const queue: RunQueue = {
    done: async () => true,
    retry: async () => true,
    touch: async (taken) => taken,
    add: async () => {},
    take: async (atMost, { suspects = false } = {}) => (suspects ? [] : waiting.splice(0, atMost)),
    close: async () => {},
  };
  const heard: WorkerEvent[] = [];
  const worker = startWorker(helper, queue, {
    pollInterval: 5,
    store,
    commands,
    sweep: async () => {},
    on: (event) => void heard.push(event),
    stateOf: async (id) => fold(await all(store, id)),
  });
  await until(() => heard.length === 2);
  await worker.stop();
  expect(heard[1]).toMatchObject({ type: 'ended', end: 'done' });
  expect(acknowledged).toContain('7');
  return (await all(store, run)).flatMap((event) => {
    if (event.type === 'run.ended') return event.end;
    return event.type === 'message.added'
      ? JSON.stringify(event.message.parts).replace(/.*"text":"(\w+)".*/, '$1')
      : [];
  });
}

describe('a worker that retries a run with a message that the last worker received', () => {
  it('gives it the message once, though it receives it twice', async () => {
    expect((await retried(false)).filter((text) => text === 'More')).toEqual(['More']);
  });

  it('continues a run that had ended before the message was recorded', async () => {
    expect(await retried(true)).toEqual(['Go', 'done', 'More', 'done']);
  });
});

/** Ends of the runs in a store after a worker takes `run`, whose commands another worker received and then died. */
async function takesOver(helper: Agent, store: Store, run: string, received: readonly ReceivedCommand[]) {
  const left = [...received];
  const confirmed: string[] = [];
  const commands = {
    listen: () => () => {},
    // It takes a moment, in which the run must not continue.
    takeOver: async (id: string) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return left.filter((one) => one.run === id);
    },
    receive: async () => [],
    acknowledge: async (id: string) => void confirmed.push(id),
    finish: async (id: string) => void left.splice(0, left.length, ...left.filter((one) => one.run !== id)),
    release: async () => {},
  } as Partial<Commands> as Commands;
  const waiting: TakenRun[] = [{ job: 'j', claim: 1, run }];
  const queue: RunQueue = {
    done: async () => true,
    retry: async () => true,
    touch: async (taken) => taken,
    add: async () => {},
    take: async (atMost, { suspects = false } = {}) => (suspects ? [] : waiting.splice(0, atMost)),
    close: async () => {},
  };
  const heard: WorkerEvent[] = [];
  const worker = startWorker(helper, queue, {
    pollInterval: 5,
    store,
    commands,
    sweep: async () => {},
    on: (event) => void heard.push(event),
    stateOf: (id) => stateOf(store, id),
  });
  await until(() => heard.length === 2);
  await worker.stop();
  expect(confirmed).toEqual(received.map(({ id }) => id));
  return heard[1];
}

describe('a command that a worker confirmed before it died', () => {
  /** The log of a run until its first call has started, with another one behind it. */
  async function interrupted(asChild: boolean) {
    const paid: string[] = [];
    const pay = tool({ name: 'pay', description: 'Pays', execute: (_, { callId = '' }) => void paid.push(callId) });
    const model = () =>
      plays(({ messages }) =>
        messages.some(({ role }) => role === 'assistant')
          ? [says('Done.')]
          : [calls('pay', '{}', 'c1'), calls('pay', '{}', 'c2')],
      );
    const make = (store: Store) => {
      const payer = agent({ name: asChild ? 'payer' : 'top', store, model: model(), tools: [pay] });
      if (!asChild) return payer;
      const ask = agentTool(payer, { name: 'ask', description: 'Asks' });
      const asks = plays(({ messages }) =>
        messages.some(({ role }) => role === 'assistant') ? [says('Over.')] : [calls('ask', '{"prompt": "Pay"}', 'a')],
      );
      return agent({ name: 'top', store, model: asks, tools: [ask] });
    };
    const store = memoryStore();
    const cut = memoryStore();
    let isDead = false;
    const append: Store['append'] = async (events) => {
      await store.append(events);
      for (const event of events) {
        if (!isDead) await cut.append([event]);
        isDead ||= event.type === 'tool.started' && event.name === 'pay';
      }
    };
    const helper = make({ ...store, append });
    const run = await helper.submit('Go', { id: 'p' });
    await (await helper.resume(run)).continue().result;
    paid.length = 0;
    const child = (await cut.runs()).find((one) => one.run !== 'p')?.run;
    return { helper: make(cut), store: cut, paid, target: child ?? 'p' };
  }

  it.each([false, true])('is carried out before the run continues: a cancellation, of a child %s', async (asChild) => {
    const { helper, store, paid, target } = await interrupted(asChild);
    const command = { type: 'cancel', after: (await stateOf(store, target)).seq, reason: 'Enough' } as const;
    const end = await takesOver(helper, store, 'p', [{ id: '1', run: target, command }]);
    expect((await stateOf(store, target)).ended).toMatchObject({ end: 'aborted', message: 'Enough' });
    expect(end).toMatchObject({ type: 'ended', end: asChild ? 'done' : 'aborted' });
    expect(paid).toEqual([]);
  });

  it.each([false, true])('is carried out before the run continues: an interruption, of a child %s', async (asChild) => {
    const { helper, store, paid, target } = await interrupted(asChild);
    const message = { role: 'user', parts: [{ type: 'text', text: 'Stop' }] } as const;
    const end = await takesOver(helper, store, 'p', [
      { id: '1', run: target, command: { type: 'interrupt', message } },
    ]);
    expect(end).toMatchObject({ type: 'ended', end: 'done' });
    expect((await all(store, target)).filter(({ type }) => type === 'message.added')).toHaveLength(2);
    expect(paid).toEqual([]);
  });
});

it('confirms other commands, though one cannot be confirmed, and that one later', async () => {
  const store = memoryStore();
  const gate = Promise.withResolvers<void>();
  const slow = plays(() => [says('Done.')]);
  const model: typeof slow = {
    ...slow,
    async *stream(...args) {
      await gate.promise;
      yield* slow.stream(...args);
    },
  };
  const helper = agent({ model, store });
  const run = await helper.submit('Go');
  const message = { role: 'user', parts: [{ type: 'text', text: 'More' }] } as const;
  const sent: ReceivedCommand[] = [
    { id: '1', run, command: { type: 'approve', callId: 'none', decision: { type: 'allow' } } },
    { id: '2', run, command: { type: 'send', message } },
  ];
  const confirmed: string[] = [];
  let failures = 2;
  const commands = {
    listen: () => () => {},
    takeOver: async () => [],
    finish: async () => {},
    release: async () => {},
    receive: async () => sent.splice(0),
    acknowledge: async (id: string) => {
      failures -= id === '1' ? 1 : 0;
      if (id === '1' && failures >= 0) throw new Error('invalid byte sequence');
      confirmed.push(id);
    },
  } as Partial<Commands> as Commands;
  const waiting: TakenRun[] = [{ job: 'j', claim: 0, run }];
  const queue: RunQueue = {
    done: async () => true,
    retry: async () => true,
    touch: async (taken) => taken,
    add: async () => {},
    take: async (atMost, { suspects = false } = {}) => (suspects ? [] : waiting.splice(0, atMost)),
    close: async () => {},
  };
  const worker = startWorker(helper, queue, {
    pollInterval: 5,
    store,
    commands,
    sweep: async () => {},
    stateOf: (id) => stateOf(store, id),
  });
  await until(() => confirmed.length === 2);
  gate.resolve();
  await worker.stop();
  expect(confirmed).toEqual(['2', '1']);
  expect((await all(store, run)).filter(({ type }) => type === 'message.added')).toHaveLength(2);
});

it.each([
  { maxAttempts: Number.NaN },
  { maxAttempts: 0 },
  { concurrency: Number.NaN },
  { concurrency: 0.5 },
  { pollInterval: Number.NaN },
  { sweepInterval: -1 },
  { resumePolicy: 'sane' as never },
])('refuses options that no worker can work with: %o', (options) => {
  const queue = { take: async () => [] } as Partial<RunQueue> as RunQueue;
  const store = memoryStore();
  const start = () =>
    startWorker(agent({ model: plays(() => []) }), queue, {
      store,
      sweep: async () => {},
      stateOf: (id: string) => stateOf(store, id),
      ...options,
    });
  expect(start).toThrow(expect.objectContaining({ code: 'invalid_option' }));
});
