import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendMiddleware, repairToolCall } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { toolsThat } from './ai-sdk-run.ts';
import { call, closeModel, modelThat, told } from './ai-sdk-scripted.ts';

describe('repairToolCall', () => {
  const seen: unknown[] = [];
  const tools = {
    read_file: tool({
      description: 'Reads a file',
      inputSchema: z.object({ path: z.string(), limit: z.number().optional() }),
      execute: (input) => {
        seen.push(input);
        return 'It is empty.';
      },
    }),
  };
  const run = async (first: ScriptedTurn, more: { repairToolCall?: typeof repairToolCall } = {}) => {
    seen.length = 0;
    const model = await modelThat(first, 'Done.', 'Done.');
    const { steps } = await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(3), ...more });
    await closeModel();
    return { seen: [...seen], calls: steps[0]?.toolCalls ?? [] };
  };

  it.each([
    ['C15 broken JSON', call('read_file', "{path: 'a.ts', limit: '5',}"), { path: 'a.ts', limit: 5 }],
    ['C13 a name behind a prefix', call('functions.read_file', '{"path": "a.ts"}'), { path: 'a.ts' }],
  ] as const)('%s runs only with it', async (_, first, gets) => {
    expect((await run(first)).seen).toEqual([]);
    expect((await run(first, { repairToolCall })).seen).toEqual([gets]);
  });

  it.each([
    ['a call without what it needs', call('read_file', '{"limit": 5}')],
    ['C2 a call that was cut off, whatever the provider says of its end', call('read_file', '{"path": "a.ts"')],
    ['a tool there is none of', call('launch_rocket', '{}')],
  ] as const)('%s stays refused', async (_, first) => {
    const { seen, calls } = await run(first, { repairToolCall });
    expect(seen).toEqual([]);
    expect(calls).toMatchObject([{ invalid: true }]);
  });
});

it.each([
  ['without what it needs', '{"tags": ["a"]}'],
  ['with one key twice', '{"query": "a", "query": "b"}'],
  ['that was cut off', '{"query": "a"'],
])('does not repair a call %s that the middleware refused', async (_, given) => {
  const seen: unknown[] = [];
  const own = await modelThat({ ...call('mcp_search', given), finish: 'length' }, 'Done.');
  const model = wrapLanguageModel({ model: own, middleware: mendMiddleware() });
  const tools = toolsThat((input) => seen.push(input));
  const { text } = await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(2), repairToolCall });
  expect({ seen, text }).toEqual({ seen: [], text: 'Done.' });
});

it('does not repair what a policy of the middleware refused', async () => {
  const seen: unknown[] = [];
  const own = await modelThat(call('read_file', '{"path": "a.ts", "limit": "5"}'), 'Done.');
  const model = wrapLanguageModel({ model: own, middleware: mendMiddleware({ policy: { minCertainty: 'lossless' } }) });
  const read_file = tool({
    inputSchema: z.object({ path: z.string(), limit: z.number() }),
    execute: (input) => seen.push(input),
  });
  const settings = { model, tools: { read_file }, prompt: 'Go on.', stopWhen: isStepCount(2), repairToolCall };
  expect((await generateText(settings)).text).toBe('Done.');
  expect(seen).toEqual([]);
  expect(told()).toContain('limit');
});
