/** What the guides promise about budgets, code of the program and ids, at odd moments. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import type { Commands } from '../../src/log/control/commands.ts';
import { stateOf } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { eventsOfRun, type Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import type { TraceOptions } from '../../src/run/tracing/loop-trace.ts';
import { controlWith } from '../../src/run/workers/control.ts';
import { tool } from '../../src/tools/tool.ts';
import { never, noUnhandledRejections, start, words } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

describe('the budget', () => {
  const waits = [
    ['approvals', { permissions: permissions({ ask: ['wait'] }), run: () => 'done' }],
    ['results', { run: undefined }],
  ] as const;
  it.each(waits)('of failed turns is not used up by calls that wait for %s and are interrupted', async (_, more) => {
    const { run: execute, ...rest } = more;
    const wait = tool({ name: 'wait', description: 'Waits', ...(execute && { execute }) });
    const bad = [calls('unknown_one', '{}')];
    const run = agent({
      model: plays(...[0, 1, 2, 3, 4].map(() => [calls('wait', '{}')]), bad, bad, [calls('wait', '{}')], bad, [
        says('Done.'),
      ]),
      tools: [wait],
      ...rest,
    }).run('Go');
    for (let at = 0; at < 5; at += 1) {
      expect((await run.result).end).toMatch(/^awaiting/);
      run.interrupt('Again');
    }
    expect((await run.result).end).toMatch(/^awaiting/);
    expect(await run.interrupt('Again').result).toMatchObject({ end: 'done', text: 'Done.' });
  });

  it('guard: of failed turns is used up by calls that are refused', async () => {
    const run = start([[calls('unknown_one', '{}')]]);
    expect((await run.result).end).toBe('invalid_calls');
  });

  it('of time does not include the time of an approver', async () => {
    const run = start([[calls('write', '{"n":1}')], [says('Done.')]], {
      budgets: { time: 250 },
      permissions: permissions({ mode: 'ask' }),
      approve: () => pause(400, { type: 'allow' }),
    });
    expect((await run.result).end).toBe('done');
    expect(run.calls()[0]?.state).toBe('completed');
  });

  it('of time does not include the time of an approver, once the run is resumed after it', async () => {
    const asked = (store: Store) =>
      agent({
        store,
        budgets: { time: 250 },
        permissions: permissions({ mode: 'ask' }),
        tools: [tool({ name: 'pay', description: 'Pays', execute: () => 'paid' })],
        approve: () => pause(400, { type: 'allow' }),
        model: plays(({ messages }) => [
          messages.some(({ role }) => role === 'assistant') ? says('Done.') : calls('pay', '{}'),
        ]),
      });
    const store = memoryStore();
    await asked(store).run('Go', { id: 'r' }).result;
    for (const last of ['approval.decided', 'tool.started', 'tool.finished']) {
      const cut = memoryStore();
      for (const event of await eventsOfRun(store, 'r')) {
        await cut.append([event]);
        if (event.type === last) break;
      }
      expect((await (await asked(cut).resume('r')).continue().result).end).toBe('done');
    }
  });

  it('guard: of time ends a run after its approver was asked', async () => {
    const run = start([[calls('write', '{"n":1}')], [calls('stuck', '{"n":1}')]], {
      budgets: { time: 250 },
      permissions: permissions({ ask: ['write'] }),
      approve: async () => ({ type: 'allow' }),
    });
    expect((await run.result).end).toBe('time');
  });

  it.each(['abort', 'time'])('of a condition that never settles: the run still ends by %s', async (how) => {
    const run = start([[calls('quick', '{"n":1}')]], {
      stopWhen: never,
      ...(how === 'time' && { budgets: { time: 100 } }),
      hooks: { after: () => void (how === 'abort' && setTimeout(() => run.abort(), 50)) },
    });
    expect((await run.result).end).toBe(how === 'abort' ? 'aborted' : 'time');
  });
});

describe('code of the program', () => {
  const broken = (): never => {
    throw new Error('tracer');
  };
  const span = { setAttribute: broken, setAttributes: broken, setStatus: broken, end: broken, isRecording: () => true };
  it.each([
    ['tracer', { startSpan: broken }],
    ['span', { startSpan: () => span }],
  ])('does not stop the run if it is a %s that throws', async (_, tracer) => {
    const traces = { tracer } as unknown as TraceOptions;
    const run = start([[calls('quick', '{"n":1}')], [says('Done.')]], { traces });
    expect(await run.result).toMatchObject({ end: 'done', text: 'Done.' });
  });

  it('does not lose the result of a call if it is a snapshot that throws', async () => {
    const shell = statefulTool({
      name: 'shell',
      description: 'Shell',
      create: () => ({}),
      execute: () => 'sent',
      snapshot: () => {
        throw new Error('too large');
      },
    });
    const run = agent({ tools: [shell], model: plays([calls('shell', '{}')], [says('Done.')]) }).run('Go');
    await run.result;
    expect(run.calls()[0]?.state).toBe('completed');
    expect(words(run)[0]).toMatch(/sent[\s\S]*could not be saved: too large/);
  });

  it('gets copies of the context and of the messages', async () => {
    const contexts: unknown[] = [];
    const look = tool({
      name: 'look',
      description: 'Looks',
      execute: (_, { context }) => void contexts.push(structuredClone(context)),
    });
    const run = agent({
      tools: [look],
      model: plays([calls('look', '{}')], [calls('look', '{}')], [says('Done.')]),
      hooks: { after: ({ context }) => void Object.assign(context as object, { user: 'other' }) },
      prepareStep: ({ messages }) => void Object.assign(messages[0] as object, { parts: [says('Changed')] }),
    }).run('Go', { context: { user: 'first' } });
    expect((await run.result).end).toBe('done');
    expect(contexts).toEqual([{ user: 'first' }, { user: 'first' }]);
    expect(run.messages()[0]?.parts).toEqual([says('Go')]);
  });
});

describe('a run of another agent', () => {
  it('gets no result', async () => {
    const store = memoryStore();
    const named = (name: string) =>
      agent({
        name,
        store,
        tools: [tool({ name: 'hear', description: 'Hears' })],
        model: plays([calls('hear', '{}', 'h')]),
      });
    await named('one').run('Go', { id: 'r' }).result;
    const { seq } = await stateOf(store, 'r');
    await expect(named('two').complete('r', 'h', 'x')).rejects.toMatchObject({ code: 'agent_mismatch' });
    expect((await stateOf(store, 'r')).seq).toBe(seq);
  });

  it('is not found under a key and an id', async () => {
    const store = memoryStore();
    const submitted = agent({ store, model: plays([says('Done.')]) }).submit('a', { key: 'k', id: 'one' });
    await expect(submitted).rejects.toMatchObject({ code: 'invalid_option' });
    expect(await store.runs()).toEqual([]);
  });
});

describe('a store', () => {
  it('in memory counts each run that one append ends', async () => {
    const store = memoryStore({ keep: 1 });
    const event = { type: 'run.ended', end: 'aborted', message: '', seq: 1, at: 0 } as const;
    await store.append(['a', 'b', 'c'].map((run) => ({ ...event, run })));
    expect((await store.runs()).map(({ run }) => run)).toEqual(['c']);
  });

  it('that is closed says so, whatever is read', async () => {
    const store = sqliteStore(join(mkdtempSync(join(tmpdir(), 'toolmend-')), 'log.db'));
    await store.close();
    await expect(store.runs()).rejects.toMatchObject({ code: 'closed' });
  });

  it('has no run to fork that it does not know', async () => {
    const { fork } = controlWith(memoryStore(), {
      commands: {} as Commands,
      queries: { query: async () => ({ rows: [] }) },
    });
    await expect(fork('unknown')).rejects.toMatchObject({ code: 'unknown_run' });
  });
});
