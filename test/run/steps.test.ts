/** Before each turn: the hook, stop conditions, tools that end a run, repeated calls, usage and cost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Message, Part } from '../../src/model/index.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import type { Step } from '../../src/run/steps/step.ts';
import { hasToolCall, stepCountIs } from '../../src/run/steps/stop-when.ts';
import { trimMessages } from '../../src/run/steps/trim-messages.ts';
import { dispatch } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { runs } from '../sample.ts';
import { calls, type Played, plays, says } from './plays.ts';
import { wordsOf } from './recorded.ts';

const look = tool({ name: 'look', description: 'Looks', effect: 'read', execute: () => 'nothing' });
const write = tool({ name: 'write', description: 'Writes', execute: () => 'written' });
const usage = { input: 1000, output: 100, cached: 400 };
const make = (turns: Played[], more: Partial<AgentOptions> = {}) => {
  const model = plays(...turns);
  return { model, helper: agent({ model, tools: [look, write], ...more }) };
};

describe('prepareStep', () => {
  it.each([
    { toolChoice: 'sometimes' },
    { instructions: 5 },
    { activeTools: 'look' },
    { messages: 'x' },
    { messages: [null] },
    { modelSettings: 5 },
  ])('ends the run with a reason if it returns what is no step: %o', async (step) => {
    const { helper } = make([[says('Done.')]], { prepareStep: () => step as never });
    const { end, errors } = await helper.run('Go').result;
    expect([end, errors?.[0]?.name]).toEqual(['error', 'hook_failed']);
  });

  it('ends the run with the name of the error that it throws', async () => {
    const { helper } = make([[says('Done.')]], {
      prepareStep: () => {
        throw new EvalError('kaput');
      },
    });
    const { end, errors } = await helper.run('Go').result;
    expect([end, errors]).toEqual(['error', [{ name: 'EvalError', message: 'prepareStep failed: kaput' }]]);
  });

  it('sees the run, and chooses model, instructions, messages, tools, tool choice and settings of one step', async () => {
    const other = plays([calls('look', '', 'b')]);
    const steps: Step[] = [];
    const { model, helper } = make([[calls('look', '', 'a')], [says('Done.')]], {
      instructions: 'Be good.',
      guidance: false,
      modelSettings: { temperature: 1 },
      prepareStep: (step) => {
        steps.push(step);
        if (step.step !== 2) return undefined;
        return {
          model: { ...other, name: 'large' },
          instructions: 'Be better.',
          activeTools: ['look'],
          toolChoice: { tool: 'look' },
          modelSettings: { temperature: 0 },
          messages: step.messages.slice(-2),
        };
      },
    });
    const run = helper.run('Go');
    await run.result;
    expect(steps.map(({ step, messages, calls }) => [step, messages.length, calls.length])).toEqual([
      [1, 1, 0],
      [2, 3, 1],
      [3, 5, 2],
    ]);
    expect(other.asked[0]).toMatchObject({ temperature: 0, toolChoice: { tool: 'look' } });
    expect(other.asked[0]?.tools?.map((one) => 'name' in one && one.name)).toEqual(['look']);
    expect(other.asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'assistant', 'user']);
    expect(JSON.stringify(other.asked[0]?.messages[0])).toContain('Be better.');
    expect(model.asked[1]).toMatchObject({ temperature: 1 });
    expect(model.asked[1]?.tools).toHaveLength(2);
    expect(model.asked[1]?.messages).toHaveLength(6);
    expect(run.messages()).toHaveLength(6);
  });

  it('refuses calls to tools that are not active, also after a restart', async () => {
    const store = memoryStore();
    const turns: Played[] = [[calls('write', '', 'a')], [says('Done.')]];
    const { helper } = make(turns, { store, prepareStep: () => ({ activeTools: ['look'] }) });
    const run = helper.run('Go');
    await run.result;
    expect(run.calls()[0]).toMatchObject({ state: 'failed', errorType: 'unknown_tool' });

    const at = run.calls()[0]?.audit[0]?.seq;
    const fork = await make(turns, { store }).helper.fork(run.id, at);
    await fork.continue().result;
    expect(fork.calls()[0]).toMatchObject({ state: 'failed', errorType: 'unknown_tool' });
  });

  it('stops the run, with a reason', async () => {
    const { model, helper } = make([[says('Done.')]], { prepareStep: () => ({ stop: 'Out of office' }) });
    expect(await helper.run('Go').result).toMatchObject({ end: 'stopped', message: 'Out of office', steps: 0 });
    expect(model.asked).toHaveLength(0);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('oops')), 'prepareStep failed: oops'],
    [
      'drops a result',
      ({ messages }: Step) => ({ messages: messages.slice(0, 2) }),
      'the result of the call a is missing',
    ],
    [
      'drops a call',
      ({ messages }: Step) => ({ messages: messages.filter((_, at) => at !== 1) }),
      'call of the result a',
    ],
    ['drops everything', () => ({ messages: [] }), 'there is no user message'],
    ['activates no such tool', () => ({ activeTools: ['nope'] }), "there is no tool 'nope' to activate"],
    [
      'chooses an inactive tool',
      () => ({ activeTools: ['look'], toolChoice: { tool: 'write' } }),
      "'write' is not active",
    ],
    ['has no model', () => ({ model: {} as never }), 'model has no stream()'],
  ])('ends the run with an error if it %s', async (_, prepareStep, message) => {
    const { model, helper } = make([[calls('look', '', 'a')], [says('Done.')]], {
      prepareStep: (step) => (step.step === 1 ? undefined : prepareStep(step)),
    });
    const { end, message: told } = await helper.run('Go').result;
    expect(end).toBe('error');
    expect(told).toContain(message);
    expect(model.asked).toHaveLength(1);
  });

  it('cannot keep a run from being stopped', async () => {
    const { helper } = make([[says('Done.')]], { prepareStep: () => new Promise(() => {}) });
    const run = helper.run('Go');
    setTimeout(() => run.abort('Lunch'), 10);
    expect((await run.result).end).toBe('aborted');
  });
});

describe('stopWhen', () => {
  it('ends the run after the results of a step, and a message continues it', async () => {
    const turns: Played[] = [[calls('look', '', 'a')], [calls('write', '', 'b')], [says('Done.')]];
    const counted = make(turns, { stopWhen: stepCountIs(2) }).helper.run('Go');
    expect(await counted.result).toMatchObject({ end: 'stopped', steps: 2 });
    expect(wordsOf(counted)).toEqual(['nothing', 'written']);
    expect((await counted.send('Go on').result).end).toBe('done');

    const called = make(turns, { stopWhen: [() => false, hasToolCall('write', 'x')] }).helper.run('Go');
    expect(await called.result).toMatchObject({ end: 'stopped', steps: 2 });
    const costly = make([...turns], { stopWhen: async ({ usage: { input = 0 } }) => input > 5 }).helper.run('Go');
    expect((await costly.result).end).toBe('done');
  });
});

describe('a tool', () => {
  it('with endsRun ends the run with its result, if it succeeds', async () => {
    const answer = tool({
      name: 'answer',
      description: 'A',
      endsRun: true,
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => (text === '' ? { ok: false, error: 'empty' } : text),
    });
    const { model, helper } = make(
      [
        [says('Well.'), calls('answer', '{"text": ""}', 'a')],
        [calls('answer', '{"text": "42"}', 'b')],
        [says('More.')],
      ],
      { tools: [answer] },
    );
    const run = helper.run('Go');
    expect(await run.result).toMatchObject({ end: 'done', text: '42', steps: 2 });
    expect(model.asked).toHaveLength(2);
    expect((await run.continue().result).steps).toBe(2);
    expect((await run.send('And?').result).text).toBe('More.');
  });

  it('with repeatable can poll, also after a restart; others cannot', async () => {
    const poll = (repeatable: boolean) => tool({ ...look, name: 'poll', repeatable });
    const turns: Played[] = [...Array.from({ length: 8 }, () => [calls('poll', '')]), [says('Done.')]];
    const end = async (repeatable: boolean) =>
      (await make(turns, { tools: [poll(repeatable)] }).helper.run('Go').result).end;
    expect([await end(true), await end(false)]).toEqual(['done', 'repeated_calls']);
  });
});

describe('the result', () => {
  it('has usage, cost and repairs, which survive a restart', async () => {
    const store = memoryStore();
    const turn = (part: ReturnType<typeof says>) => ({ usage, message: { role: 'assistant' as const, parts: [part] } });
    const number = tool({ ...look, name: 'look', inputSchema: z.object({ n: z.number() }) });
    const options: Partial<AgentOptions> = {
      store,
      tools: [number],
      prices: { played: { input: 10, output: 100, cached: 1 } },
    };
    const turns: Played[] = [turn(calls('look', '{"n": "1",}', 'a')), turn(says('Done.'))];
    const { helper } = make(turns, options);
    const run = helper.run('Go');
    const result = await run.result;
    expect(result).toMatchObject({ steps: 2, usage: { input: 2000, output: 200, cached: 800 } });
    expect(result.cost).toBeCloseTo(2 * ((600 * 10 + 400 * 1 + 100 * 100) / 1e6), 10);
    expect(result.repairs.map(({ callId, kind }) => [callId, kind])).toEqual([
      ['a', 'comma'],
      ['a', 'type'],
    ]);
    const resumed = await make(turns, options).helper.resume(run.id);
    expect(await resumed.result).toMatchObject({ steps: 2, cost: result.cost, usage: result.usage });

    const byFunction = make(turns, { ...options, prices: (_, { name }) => (name === 'played' ? 1 : 0) }).helper.run(
      'Go',
    );
    expect((await byFunction.result).cost).toBe(2);
    expect((await make(turns, { ...options, prices: {} }).helper.run('Go').result).cost).toBeUndefined();
    expect(() => make(turns, { prices: { m: { input: -1, output: 0 } } })).toThrow('Invalid price input -1 of m');
  });
});

const message = fc.oneof(
  fc.record({ role: fc.constant('user' as const), length: fc.nat(200) }),
  fc.record({ role: fc.constant('assistant' as const), length: fc.nat(200), calls: fc.nat(3) }),
);

describe('trimMessages', () => {
  const text = (length: number): Part => ({ type: 'text', text: 'x'.repeat(length) });
  const build = (drawn: readonly { role: 'user' | 'assistant'; length: number; calls?: number }[]): Message[] =>
    drawn.flatMap(({ role, length, calls: count = 0 }, index): Message[] => {
      const ids = Array.from({ length: count }, (_, at) => `${index}.${at}`);
      const made = { role, parts: [text(length), ...ids.map((id) => calls('look', '', id))] } as Message;
      const results = ids.map((callId) => ({ type: 'result' as const, callId, content: [] }));
      return count > 0 ? [made, { role: 'user', parts: results }] : [made];
    });
  const count = ({ parts }: Message): number => JSON.stringify(parts).length;

  it('keeps calls with their results, the newest messages and the limit', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 2000 }),
        (drawn, max) => {
          const all = build([{ role: 'user', length: 5 }, ...drawn]);
          const kept = trimMessages(all, { maxTokens: max, countTokens: count });
          const ids = (type: 'call' | 'result') =>
            kept.flatMap(({ parts }) =>
              parts.flatMap((part) =>
                part.type === type ? ('id' in part ? part.id : 'callId' in part ? part.callId : []) : [],
              ),
            );
          expect(ids('call').sort()).toEqual(ids('result').sort());
          expect(kept[0]).toBe(all[0]);
          expect(kept.at(-1)).toBe(all.at(-1));
          // Everything after the first message is the end of the conversation, without gaps.
          expect(all.slice(all.length - kept.length + 1)).toEqual(kept.slice(1));
          const tokens = kept.reduce((sum, one) => sum + count(one), 0);
          const isLeast = kept.length <= 3;
          expect(tokens <= max || isLeast).toBe(true);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it('drops the first message on request, and still starts with a user message', () => {
    const all = build([
      { role: 'user', length: 500 } as const,
      { role: 'assistant', length: 10, calls: 1 } as const,
      { role: 'user', length: 10 } as const,
      { role: 'assistant', length: 10, calls: 1 } as const,
    ]);
    const kept = trimMessages(all, { maxTokens: 400, countTokens: count, keepFirst: false });
    expect(kept).toEqual(all.slice(3));
    expect(trimMessages(all, { maxTokens: 1_000_000 })).toEqual(all);
    expect(() => trimMessages(all, {} as never)).toThrow('maxTokens');
  });

  it('returns all messages if they fit, whatever the first one is', () => {
    const talk = build(
      ['user', 'assistant', 'user'].map((role) => ({ role: role as 'user' | 'assistant', length: 20 })),
    );
    const system: Message = { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] };
    for (const first of [system, { ...system, role: 'assistant' as const }])
      for (const keepFirst of [true, false])
        expect(trimMessages([first, ...talk], { maxTokens: 100_000, keepFirst })).toEqual([first, ...talk]);
  });
});

it('guard: prices that throw cost the figure, not the run', async () => {
  const { helper } = make([{ message: { role: 'assistant', parts: [says('Done.')] }, usage }], {
    prices: () => {
      throw new Error('No prices');
    },
  });
  const { end, cost } = await helper.run('Go').result;
  expect([end, cost]).toEqual(['done', undefined]);
});

it.each([
  ['a signal', () => make([[says('Done.')]]).helper.run('Go', { signal: 'no' as never })],
  ['a run id with NUL', () => make([[says('Done.')]]).helper.run('Go', { id: 'a\0b' })],
  ['a run id to submit', () => make([[says('Done.')]]).helper.submit('Go', { id: 'a\0b' })],
  ['a run id that is none', () => make([]).helper.resume(undefined as never)],
  ['redact', () => make([], { redact: true as never })],
  ['messages to trim', () => trimMessages([null] as never, { maxTokens: 5 })],
  ['the agent of a queue', () => dispatch({ agent: undefined as never, store: memoryStore(), url: 'postgres://x' })],
])('reports what is wrong: %s', async (_, misuse) => {
  await expect((async () => misuse())()).rejects.toMatchObject({ name: 'ToolmendError', code: 'invalid_option' });
});
