/** Budgets are in the log: a process that takes a run up goes on counting where the last one stood. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import type { Budgets } from '../../src/run/budgets.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, type Played, plays, says } from '../run/plays.ts';
import { eventsOf, mortal, stores } from './scene.ts';

const usage = { input: 30, output: 10 };
let turn = 0;
const good: Played = () => {
  turn += 1;
  return {
    message: { role: 'assistant', parts: [calls('note', { n: turn }, `c${turn}`)] },
    finish: 'tool_calls',
    usage,
  };
};
const same: Played = () => [calls('note', { n: 0 })];
const bad: Played = () => [calls('note', '{"n": "x"}')];
const empty: Played = () => [];

const agentOn = (store: Store, played: Played, budgets: Partial<Budgets>) => {
  const model = plays(played);
  const note = tool({
    name: 'note',
    description: 'Notes',
    effect: 'write',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    execute: () => 'noted',
  });
  return Object.assign(agent({ model, tools: [note], store, budgets, permissions: permissions() }), { model });
};

/** The log of a run after so many turns, as a process left it that was killed then; in a store of its own. */
async function killedAfter(turns: number, played: Played, open: () => Store): Promise<{ store: Store; id: string }> {
  const whole = memoryStore();
  const { id, result: done } = agentOn(whole, played, { steps: turns }).run('Go');
  await done;
  const events = (await eventsOf(whole, id)).filter(({ type }) => type !== 'run.ended');
  const store = open();
  await store.append(events);
  return { store, id };
}

describe.each(stores)('in a %s store', (_, open) => {
  const rows: readonly [keyof Budgets, number, Played, string, number][] = [
    ['steps', 4, good, 'steps', 4],
    ['tokens', 160, good, 'tokens', 4],
    ['failedTurns', 4, bad, 'invalid_calls', 4],
    ['identicalCalls', 4, same, 'repeated_calls', 4],
  ];

  it.each(rows)('%s survive a crash after any turn', async (field, most, played, end, turns) => {
    for (const before of [1, 2, 3]) {
      const { store, id } = await killedAfter(before, played, open);
      const later = agentOn(store, played, { [field]: most });
      const run = await later.resume(id);
      expect([(await run.continue().result).end, before + later.model.asked.length]).toEqual([end, turns]);
    }
  });

  /** What a run used by its log, whichever processes wrote it. */
  const usedOf = async (store: Store, id: string) => {
    const events = await eventsOf(store, id);
    const of = (type: string) => events.filter((event) => event.type === type).length;
    return {
      asked: of('turn.requested'),
      answered: of('turn.completed'),
      refused: of('call.refused'),
      ran: of('tool.finished'),
    };
  };
  const most: readonly [keyof Budgets, number, Played, string, (used: Awaited<ReturnType<typeof usedOf>>) => number][] =
    [
      ['steps', 4, good, 'steps', ({ asked }) => asked],
      ['tokens', 160, good, 'tokens', ({ answered }) => answered * 40],
      ['failedTurns', 4, bad, 'invalid_calls', ({ refused }) => refused],
      ['identicalCalls', 4, same, 'repeated_calls', ({ ran }) => ran],
      ['emptyTurns', 4, empty, 'empty', ({ answered }) => answered],
    ];

  it.each(most)('%s survive a crash before any event', async (field, budget, played, end, use) => {
    for (let at = 1; at < 24; at += 1) {
      const store = open();
      const first = agentOn(mortal(store, at), played, { [field]: budget }).run('Go');
      await first.result;
      if ((await eventsOf(store, first.id)).length < 2) continue;
      const resumed = await agentOn(store, played, { [field]: budget }).resume(first.id);
      const last = await resumed.continue().result;
      expect([at, last.end, use(await usedOf(store, first.id))]).toEqual([at, end, budget]);
    }
  });

  it.each(most)('%s survive a process that ends after every few events', async (field, budget, played, end, use) => {
    for (const every of [4, 5, 7]) {
      const store = open();
      const first = agentOn(mortal(store, 4), played, { [field]: budget }).run('Go');
      await first.result;
      let last = '';
      let processes = 0;
      // Where no process lives long enough to write an answer down, the turns they asked for are used up.
      for (; last !== end && last !== 'steps' && processes < 60; processes += 1) {
        const resumed = await agentOn(mortal(store, every), played, { [field]: budget }).resume(first.id);
        last = (await resumed.continue().result).end;
      }
      expect([end, 'steps']).toContain(last);
      expect(use(await usedOf(store, first.id))).toBeLessThanOrEqual(budget);
    }
  });

  it('a run that used its turns is not given more by a resume, but by a message', async () => {
    const store = open();
    const run = agentOn(store, good, { steps: 2 }).run('Go');
    expect((await run.result).end).toBe('steps');
    const later = agentOn(store, good, { steps: 2 });
    const resumed = await later.resume(run.id);
    expect([(await resumed.continue().result).end, later.model.asked.length]).toEqual(['steps', 0]);
    expect([(await resumed.send('More').result).end, later.model.asked.length]).toEqual(['steps', 2]);
  });

  it('the time before a crash counts, and the time between does not', async () => {
    const store = open();
    const begun = agentOn(store, good, {});
    const id = await begun.submit('Go');
    const events = await eventsOf(store, id);
    const from = events.at(-1)?.at ?? 0;
    const work = {
      run: id,
      type: 'turn.failed',
      turn: 1,
      error: { kind: 'network', message: '', retryable: true },
      response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
    };
    await store.append([{ run: id, seq: events.length + 1, at: from, type: 'turn.requested', turn: 1 }]);
    await store.append([{ ...work, seq: events.length + 2, at: from + 5000 } as never]);
    const short = agentOn(store, good, { time: 4000 });
    expect([(await (await short.resume(id)).continue().result).end, short.model.asked.length]).toEqual(['time', 0]);
    const long = agentOn(store, [says('Done.')], { time: 60_000 });
    expect((await (await long.resume(id)).continue().result).end).toBe('done');
  });

  it('an approval in another process gives no new budget', async () => {
    const store = open();
    const asks = (): ReturnType<typeof agentOn> => {
      const model = plays(good);
      const note = tool({ name: 'note', description: 'Notes', execute: () => 'noted' });
      return Object.assign(
        agent({ model, tools: [note], store, budgets: { steps: 3 }, permissions: permissions({ mode: 'ask' }) }),
        { model },
      );
    };
    const first = asks().run('Go');
    let end = (await first.result).end as string;
    let resumes = 0;
    for (; end === 'awaiting_approval' && resumes < 10; resumes += 1) {
      const run = await asks().resume(first.id);
      const call = run.calls().find(({ state }) => state === 'approval_required');
      await run.approve(call?.callId ?? '', { type: 'allow' });
      end = (await run.result).end;
    }
    expect([end, resumes]).toEqual(['steps', 3]);
  });

  it('guard: empty answers end a run', async () => {
    expect((await agentOn(open(), empty, {}).run('Go').result).end).toBe('empty');
  });
});
