import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { CallRecord } from '../../src/log/state.ts';
import type { RunError, StreamedEvent } from '../../src/log/subscribe.ts';
import type { Message, Model, ResultPart } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { turns, untilCalls } from './odd-moments.ts';
import { calls, type Played, plays, says } from './plays.ts';

const results = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
const words = ({ content }: ResultPart): string =>
  content.flatMap((one) => (one.type === 'text' ? one.text : [])).join('');

const slow = tool({
  name: 'slow',
  description: 'Takes its time',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: async ({ n }, { signal }) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    return n;
  },
});
const quick = tool({
  name: 'quick',
  description: 'Quick',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: ({ n }) => n,
});

describe('a run', () => {
  it('can be aborted: every call still gets its result, and the end reason says so', async () => {
    const run = agent({
      model: plays([calls('slow', '{"n":1}'), calls('quick', '{"n":2}')]),
      tools: [slow, quick],
    }).run('x');
    await untilCalls(run, 'executing', 'completed');
    run.abort('enough');
    expect((await run.result).end).toBe('aborted');
    expect(run.calls().map(({ state, errorType }) => [state, errorType])).toEqual([
      ['failed', 'aborted'],
      ['completed', undefined],
    ]);
  });

  it('can be interrupted with another message, and continues', async () => {
    const model = plays([calls('slow', '{"n":1}')], [says('As you wish.')]);
    const run = agent({ model, tools: [slow] }).run('x');
    await untilCalls(run, 'executing');
    run.interrupt('Never mind');
    expect(await run.result).toMatchObject({ end: 'done', text: 'As you wish.' });
    expect(results(run.messages())[0]).toMatchObject({ isError: true });
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'Never mind' }] });
  });

  it('delivers a message sent during a turn after the pending results', async () => {
    const model = plays([calls('quick', '{"n":1}', 'a')], [says('Both done.')]);
    const run = agent({ model, tools: [quick] }).run('first');
    run.send('second');
    await run.result;
    const asked = model.asked.at(-1)?.messages ?? [];
    expect(asked.map(({ role, parts }) => `${role}:${parts[0]?.type}`).slice(1)).toContain('user:result');
    expect(JSON.stringify(asked)).toContain('second');
  });

  it('continues with another message, and resets its counters', async () => {
    const run = agent({ model: plays([says('One.')], [says('Two.')]), budgets: { steps: 1 } }).run('a');
    expect((await run.result).text).toBe('One.');
    expect((await run.send('b').result).text).toBe('Two.');
    const heard: StreamedEvent[] = [];
    for await (const event of run) heard.push(event);
    expect(heard.filter((event) => 'seq' in event)[0]).toMatchObject({ type: 'message.added' });
  });

  it.each([
    ['steps', { steps: 3 }, 3],
    ['tokens', { tokens: 25 }, 3],
    ['repeated_calls', { identicalCalls: 2 }, 2],
    ['time', { time: 0 }, 0],
  ] as const)('ends when its %s are exhausted', async (end, budgets, asked) => {
    const turn = {
      message: { role: 'assistant' as const, parts: [calls('quick', '{"n":1}')] },
      usage: { input: 5, output: 5 },
    };
    const model = plays(turn);
    const run = agent({ model, tools: [quick], budgets }).run('x');
    expect((await run.result).end).toBe(end);
    expect(model.asked.length).toBe(asked);
    expect(results(run.messages()).length).toBe(asked);
  });

  it.each([
    ['empty', [[]], 3],
    ['refused', [[{ type: 'refusal', text: 'No.' }]], 1],
    ['filtered', [{ finish: 'filter' }], 1],
    ['length', [{ finish: 'length', message: { role: 'assistant', parts: [{ type: 'text', text: 'Once upon' }] } }], 1],
  ] as const)('has a separate end reason for a response that is %s', async (end, turns, asked) => {
    const model = plays(...(turns as unknown as Played[]));
    const run = agent({ model, tools: [quick] }).run('x');
    expect((await run.result).end).toBe(end);
    expect(model.asked.length).toBe(asked);
  });

  it('C2 never runs a call truncated by the token limit, and tells the model to make it smaller', async () => {
    const cut = {
      finish: 'length' as const,
      message: { role: 'assistant' as const, parts: [calls('quick', '{"n": 12')] },
    };
    const run = agent({ model: plays(cut, [says('Ok.')]), tools: [quick] }).run('x');
    await run.result;
    expect(run.calls()[0]).toMatchObject({ state: 'failed', errorType: 'truncated' });
    expect(words(results(run.messages())[0] as ResultPart)).toMatch(/smaller|limit/);
  });

  it('has a separate end reason for a model that fails, and retries an interrupted one', async () => {
    const failing = (retryable: boolean): Model & { asked: number } => ({
      name: 'm',
      provider: 'test',
      asked: 0,
      async *stream() {
        this.asked += 1;
        const response = { message: { role: 'assistant' as const, parts: [says('Hal')] }, finish: 'error' as const };
        yield { type: 'turn.failed', error: { kind: 'network', message: 'broke', retryable }, response };
      },
    });
    for (const [model, asked] of [
      [failing(false), 1],
      [failing(true), 3],
    ] as const) {
      const run = agent({ model }).run('x');
      expect(await run.result).toMatchObject({ end: 'model', message: 'broke' });
      expect(model.asked).toBe(asked);
      expect(run.messages().length).toBe(1);
    }
  });

  it('S1.7 notifies listeners: errors with phase and detail, and every call with its record', async () => {
    const model = plays([calls('quick', '{}', 'bad'), calls('quick', '{"n": 1}', 'good')], [says('Fine.')]);
    const run = agent({ model, tools: [quick] }).run();
    const errors: RunError[] = [];
    const executed: CallRecord[] = [];
    run.on('error', (error) => errors.push(error));
    run.on('tool_executed', (record) => executed.push(structuredClone(record)));
    await run.send('x').result;
    expect(errors).toMatchObject([
      { phase: 'tool', detail: { errorType: 'validation', tool: 'quick', callId: 'bad' } },
    ]);
    expect(errors[0]?.detail.recommendations?.length).toBeGreaterThan(0);
    const byId = Object.fromEntries(executed.map((record) => [record.callId, record]));
    expect(byId.bad).toMatchObject({
      state: 'failed',
      error: expect.stringContaining("'n'"),
      call: { arguments: '{}' },
    });
    expect(byId.good).toMatchObject({ state: 'completed', result: { callId: 'good' } });
    expect(byId.good?.audit.map(({ state }) => state)).toEqual(['pending', 'executing', 'completed']);
    expect(results(run.messages()).map(({ isError = false }) => isError)).toEqual([true, false]);
  });

  it('S3.8 keeps an instance while it runs, and closes it at the end', async () => {
    const life: string[] = [];
    const count = statefulTool({
      name: 'count',
      description: 'Counts',
      inputSchema: z.object({ by: z.number() }),
      create: () => {
        life.push('opened');
        return { sum: 0 };
      },
      dispose: () => life.push('closed'),
      execute: (state, { by }) => {
        state.sum += by;
        return state.sum;
      },
    });
    const model = plays(
      [calls('count', '{"by":1}'), calls('count', '{"by":2}')],
      [calls('count', '{"by":3}')],
      [says('6')],
    );
    const run = agent({ model, tools: [count] }).run('x');
    await run.result;
    expect(results(run.messages()).map(words)).toEqual(['1', '3', '6']);
    expect(life).toEqual(['opened', 'closed']);
  });

  it('runs three calls at a time, writes to one target in order, and returns results in call order', async () => {
    let now = 0;
    let most = 0;
    const order: string[] = [];
    const work = async (label: string, length: number): Promise<string> => {
      now += 1;
      most = Math.max(most, now);
      await turns(length);
      order.push(label);
      now -= 1;
      return label;
    };
    const input = z.object({ path: z.string(), length: z.number() });
    const read = tool({
      name: 'read',
      description: 'R',
      inputSchema: input,
      effect: 'read',
      execute: ({ path, length }) => work(path, length),
    });
    const write = tool({
      name: 'write',
      description: 'W',
      inputSchema: input,
      target: ({ path }) => path,
      execute: ({ path, length }) => work(`${path}${length}`, length),
    });
    const five = Array.from({ length: 5 }, (_, index) => calls('read', { path: `r${index}`, length: 40 - index }));
    const writes = [
      calls('write', { path: 'a', length: 40 }),
      calls('write', { path: 'a', length: 5 }),
      calls('write', { path: 'b', length: 1 }),
    ];
    const run = agent({ model: plays([...five, ...writes], [says('ok')]), tools: [read, write] }).run('x');
    await run.result;
    expect(most).toBe(3);
    expect(order.indexOf('a40')).toBeLessThan(order.indexOf('a5'));
    expect(results(run.messages()).map(words)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'a40', 'a5', 'b1']);
  });

  it('gives every call a unique id, even if the server counts from zero in each response', async () => {
    const model = plays([calls('quick', '{"n":1}', 'call_0')], [calls('quick', '{"n":2}', 'call_0')], [says('ok')]);
    const run = agent({ model, tools: [quick] }).run('x');
    await run.result;
    expect(new Set(run.calls().map(({ callId }) => callId)).size).toBe(2);
    expect(results(run.messages()).map(words)).toEqual(['1', '2']);
  });

  it('shows the model its own call as mended, and a refused one as received', async () => {
    const model = plays([calls('Quick', "{n: '1',}", 'a'), calls('quick', '{"m": 1', 'b')], [says('ok')]);
    await agent({ model, tools: [quick] }).run('x').result;
    const shown = model.asked[1]?.messages.find(({ role }) => role === 'assistant')?.parts;
    expect(shown).toEqual([
      { type: 'call', id: 'a', name: 'quick', arguments: { n: 1 } },
      { type: 'call', id: 'b', name: 'quick', arguments: '{"m": 1' },
    ]);
  });
});

describe('the log', () => {
  const store = memoryStore();

  it('replays from any bookmark and then follows live events', async () => {
    const helper = agent({ model: plays([calls('quick', '{"n":1}')], [says('ok')]), tools: [quick], store });
    const run = helper.run('x');
    await run.result;
    const seen: RunEvent[] = [];
    for await (const event of run.watch({ channels: ['monitor'], after: 4 })) {
      if ('seq' in event) seen.push(event);
      if (event.type === 'run.ended') break;
    }
    expect(seen.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9, 10]);
    const control: string[] = [];
    for await (const event of run.watch({ channels: ['control'], after: 0 })) {
      control.push(event.type);
      if (event.type === 'run.ended') break;
    }
    expect(control).toEqual(['run.ended']);
  });

  it('F17 is enough to resume a run: a call that may have taken effect is settled with advice', async () => {
    const crashed = agent({
      model: plays([calls('quick', '{"n":1}', 'a'), calls('write', '{}', 'b')], [says('ok')]),
      store,
      tools: [quick, tool({ name: 'write', description: 'W', execute: () => 1 })],
    });
    const run = crashed.run('x', { id: 'run_crashed' });
    await run.result;
    const events = await all(store, 'run_crashed');
    const half = memoryStore();
    // As if the process had been killed while both tools ran.
    const until = events.findLastIndex(({ type }) => type === 'tool.started');
    await half.append(events.slice(0, until + 1));
    const model = plays([says('I looked again.')]);
    const resumed = await agent({ model, store: half, tools: crashed.toolbox }).resume('run_crashed');
    expect(resumed.calls().map(({ state }) => state)).toEqual(expect.arrayContaining(['settled']));
    expect((await resumed.continue().result).text).toBe('I looked again.');
    expect(results(model.asked[0]?.messages ?? []).length).toBe(2);
    expect(JSON.stringify(model.asked[0]?.messages)).toContain('not known whether');
  });

  it.each([
    ['reads', { effect: 'read' }, ['job/a', 'job/a']],
    ['is idempotent', { repeat: 'idempotent' }, ['job/a', 'job/a']],
    ['is once', {}, ['job/a']],
  ] as const)('F17 killed after the effect and before the record: a tool that %s', async (_, kind, keys) => {
    const seen: string[] = [];
    const deed = tool({
      name: 'deed',
      description: 'D',
      ...kind,
      execute: (_input, { key = '' }) => {
        seen.push(key);
        return 'done';
      },
    });
    const whole = memoryStore();
    const first = agent({ model: plays([calls('deed', '{}', 'a')], [says('ok')]), store: whole, tools: [deed] });
    await first.run('x', { id: 'job' }).result;
    const half = memoryStore();
    const events = await all(whole, 'job');
    await half.append(events.slice(0, events.findIndex(({ type }) => type === 'tool.started') + 1));
    const model = plays([says('ok')]);
    const run = await agent({ model, store: half, tools: [deed] }).resume('job');
    await run.continue().result;
    expect(seen).toEqual(keys);
    expect(results(model.asked[0]?.messages ?? []).length).toBe(1);
    expect(run.calls()[0]?.state).toBe(keys.length === 1 ? 'settled' : 'completed');
  });

  it('can be forked at any point, and the fork records its origin', async () => {
    const helper = agent({ model: plays([says('One.')], [says('Two.')]), store });
    const run = helper.run('x');
    await run.result;
    const fork = await helper.fork(run.id, 4);
    expect((await fork.send('again').result).text).toBe('Two.');
    expect(fork.messages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(fork.state.started?.from).toEqual({ run: run.id, seq: 4 });
    expect(run.messages().length).toBe(2);
  });

  it("F19 stops the run if it can't be written, and reports no success from memory", async () => {
    const failing = memoryStore();
    let writes = 0;
    const append = failing.append;
    failing.append = async (events) => {
      writes += 1;
      if (writes === 2) throw new Error('disk full');
      return append(events);
    };
    const run = agent({
      model: plays([calls('quick', '{"n":1}')], [says('ok')]),
      tools: [quick],
      store: failing,
    }).run();
    const errors: RunError[] = [];
    run.on('error', (error) => errors.push(error));
    const heard: string[] = [];
    run.send('x');
    for await (const event of run) heard.push(event.type);
    expect(await run.result).toMatchObject({ end: 'storage', message: expect.stringContaining('disk full') });
    expect(heard).not.toContain('tool.finished');
    expect(heard.at(-1)).toBe('run.halted');
    expect(errors.map(({ phase }) => phase)).toEqual(['storage']);
  });
});
