/** Models, tools, listeners and rules that do what they should not. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { toolOutput } from '../../src/execute/tool-result.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Model, TurnEvent } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import {
  endless,
  n,
  noUnhandledRejections,
  oneResultEach,
  quick,
  start,
  uncaughtDuring,
  wait,
  words,
} from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

describe('foreign code', () => {
  it('reports errors of listeners, which affect neither the run nor other listeners', async () => {
    const run = agent({
      model: plays([calls('quick', '{}'), calls('quick', '{"n":1}')], [says('Ok.')]),
      tools: [quick],
    });
    const heard: string[] = [];
    const uncaught = await uncaughtDuring(async () => {
      const one = run.run();
      for (const name of ['error', 'tool_executed', 'end'] as const) {
        one.on(name, () => {
          throw new Error(`thrown by ${name}`);
        });
        one.on(name, () => heard.push(name));
      }
      expect((await one.send('x').result).end).toBe('done');
    });
    expect(heard.sort()).toEqual(['end', 'error', 'tool_executed', 'tool_executed']);
    expect(uncaught).toEqual([]);
  });

  it('a listener that throws when the log fails hides no error', async () => {
    const store = memoryStore();
    store.append = () => Promise.reject(new Error('disk full'));
    let run: Run | undefined;
    await uncaughtDuring(async () => {
      run = agent({ model: plays([says('Ok.')]), store }).run();
      run.on('error', () => {
        throw new Error('thrown');
      });
      expect((await run.send('x').result).end).toBe('storage');
    });
    const heard: string[] = [];
    for await (const { type } of run as Run) heard.push(type);
    expect(heard).toEqual(['run.halted']);
  });

  it.each([
    ['nothing at all', []],
    ['an event of no type', [{}]],
    ['a finish without an answer', [{ type: 'turn.finished' }]],
    ['undefined', [undefined]],
  ])('a model that yields %s fails with a named reason', async (_, events) => {
    const run = agent({ model: yields(events as TurnEvent[]) }).run('x');
    expect((await run.result).end).toBe('model');
  });

  it('a model that throws, immediately or later, fails with a named reason', async () => {
    const thrown = () => {
      throw new Error('no network');
    };
    const base = { name: 'm', provider: 'test' };
    for (const model of [
      { ...base, stream: thrown },
      { ...base, stream: () => ({ [Symbol.asyncIterator]: () => ({ next: thrown }) }) },
      { ...base, stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject('words') }) }) },
    ] as Model[])
      expect((await agent({ model }).run('x').result).end).toBe('model');
  });

  it.each([
    ['returns nothing', () => undefined],
    ['throws', () => boom()],
    ['never ends', () => new Promise(() => {})],
  ])('a model whose clean-up %s still returns its response', async (_, end) => {
    const response = { message: { role: 'assistant', parts: [says('One.')] }, finish: 'stop' };
    const next = async () => ({ done: false, value: { type: 'turn.finished', response } });
    const stream = () => ({ [Symbol.asyncIterator]: () => ({ next, return: end }) });
    const model = { name: 'm', provider: 'test', stream } as unknown as Model;
    expect((await agent({ model }).run('x').result).text).toBe('One.');
  });

  it('only the first finish event counts, and later events are ignored', async () => {
    const finished = (text: string): TurnEvent => ({
      type: 'turn.finished',
      response: { message: { role: 'assistant', parts: [says(text)] }, finish: 'stop' },
    });
    const run = agent({ model: yields([finished('One.'), finished('Two.')]) }).run('x');
    expect((await run.result).text).toBe('One.');
    expect(run.messages().length).toBe(2);
  });

  it('F9 a tool named like a property of every object works like any other', async () => {
    const names = ['toString', 'constructor', 'hasOwnProperty', '__proto__'];
    const tools = names.map((name) =>
      tool({ name, description: name, inputSchema: n, effect: 'read', execute: () => name }),
    );
    const turn = names.flatMap((name) => [calls(name, '{}'), calls(name, '{"n": 1}')]);
    const run = agent({ model: plays(turn, [says('Ok.')]), tools }).run('x');
    expect((await run.result).end).toBe('done');
    expect(words(run).filter((_, at) => at % 2 === 1)).toEqual(names);
    const none = agent({ model: plays([calls('valueOf', '{}'), calls('__proto__', '{}')]), tools: [quick] }).run('x');
    await none.result;
    expect(new Set(none.calls().map(({ errorType }) => errorType))).toEqual(new Set(['unknown_tool']));
  });

  it('F12 calls with unusual ids or without ids each get their own result', async () => {
    const ids = ['', '', '__proto__', 'a/../b', 'a b\n\u0000', '🧨', '\ud800', 'x'.repeat(10_000)];
    const run = start([ids.map((id, at) => calls('quick', { n: at }, id)), [says('Ok.')]]);
    await run.result;
    oneResultEach(run);
    expect(words(run)).toEqual(ids.map((_, at) => String(at)));
    expect(new Set(run.calls().map(({ callId }) => callId)).size).toBe(ids.length);
  });

  it("F6 F16 refuses arguments that a log can't store, and continues the run", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const run = start([[cycle, { n: 10n }, { n: deep }].map((given) => calls('quick', given)), [says('Ok.')]]);
    expect((await run.result).end).toBe('done');
    expect(run.calls().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    oneResultEach(run);
  });

  it('applies deny rules to edited arguments', async () => {
    const run = start([[calls('write', '{"n":1}', 'w')], [says('Ok.')]], {
      permissions: permissions({ mode: 'ask', deny: ['write(n=13)'] }),
      approve: () => ({ type: 'edit', input: { n: 13 } }),
    });
    await run.result;
    expect(run.calls()[0]).toMatchObject({ state: 'denied', error: expect.stringContaining('write(n=13)') });
  });

  it.each([true, 'yes', {}, { type: 'maybe' }, { type: 'edited', input: { n: 1 } }])(
    'treats %j from an approver or from rules as no permission',
    async (said) => {
      const asks = permissions({ mode: 'ask' });
      for (const options of [
        { permissions: asks, approve: () => said as never },
        { permissions: { decide: () => said as never } },
      ]) {
        const run = start([[calls('write', '{"n":1}', 'w')], [says('Ok.')]], options);
        expect((await run.result).end).toBe('done');
        expect(run.calls()[0]?.state).toBe('denied');
      }
      const waits = start([[calls('write', '{"n":1}', 'w')]], { permissions: asks });
      await waits.result;
      await expect(waits.approve('w', said as never)).rejects.toMatchObject({ code: 'invalid_option' });
    },
  );

  it("F16 keeps the beginning of a long result if its folder can't be written to", async () => {
    const long = tool({ name: 'long', description: 'Long', execute: () => 'x'.repeat(100_000) });
    const { begin, begun } = endless();
    for (const spill of [() => Promise.reject(new Error('disk full')), begin]) {
      const model = plays([calls('long', '{}')], [says('Ok.')]);
      const run = agent({ model, tools: [long], results: { spill } }).run('x');
      if (spill === begin) void begun().then(() => run.abort());
      await run.result;
      expect(run.calls()[0]?.state).toBe('completed');
      expect(words(run)[0]).toMatch(/^x{50000}/);
    }
  });

  it('F16 applies one size limit to results with many parts', async () => {
    const content = Array.from({ length: 1000 }, () => ({ type: 'text', text: 'y'.repeat(1000) }) as const);
    const media = { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } } as const;
    const many = tool({
      name: 'many',
      description: 'Many',
      execute: () => toolOutput({ content: [...content, media] }),
    });
    const run = agent({ model: plays([calls('many', '{}')], [says('Ok.')]), tools: [many] }).run('x');
    await run.result;
    expect(words(run)[0]?.length).toBeLessThan(60_000);
    expect(run.calls()[0]?.result?.content.at(-1)).toEqual(media);
  });

  it('treats rules that throw as a denial', async () => {
    const broken = { decide: () => JSON.parse('{') };
    const run = start([[calls('quick', '{"n":1}')], [says('Ok.')]], { permissions: broken });
    expect((await run.result).end).toBe('done');
    expect(run.calls()[0]?.state).toBe('denied');
  });

  it.each([
    ['a value that throws when it is looked at', () => new Proxy({}, { get: boom, has: boom, ownKeys: boom })],
    ['a function', () => () => 1],
    ['an error of a hundred megabytes', () => Promise.reject(new Error('x'.repeat(1e8)))],
    ['a promise of a promise that fails', async () => Promise.reject(Promise.resolve(1))],
  ])('F16 a tool that returns %s fails with a named reason', async (_, run) => {
    const store = memoryStore();
    const odd = tool({ name: 'odd', description: 'Odd', execute: run });
    const one = agent({ model: plays([calls('odd', '{}')], [says('Ok.')]), tools: [odd], store }).run('x');
    expect((await one.result).end).toBe('done');
    expect(one.calls()[0]).toMatchObject({ state: 'failed', errorType: 'runtime' });
    let size = 0;
    for await (const event of store.read(one.id)) size += JSON.stringify(event).length;
    expect(size).toBeLessThan(200_000);
  });

  it('F15 treats a deadline longer than a timer supports as no deadline', async () => {
    for (const timeout of [Number.POSITIVE_INFINITY, 2 ** 40]) {
      const slow = tool({ name: 'slow', description: 'Slow', timeout, execute: () => wait(30).then(() => 'done') });
      const run = agent({ model: plays([calls('slow', '{}')], [says('Ok.')]), tools: [slow] }).run('x');
      await run.result;
      expect(words(run)).toEqual(['done']);
    }
  });
});

const boom = () => {
  throw new Error('boom');
};
function yields(events: readonly TurnEvent[]): Model {
  return {
    name: 'm',
    provider: 'test',
    async *stream() {
      yield* events;
    },
  };
}
