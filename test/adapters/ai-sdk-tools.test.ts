import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  ToolLoopAgent,
  tool,
  wrapLanguageModel,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromAiTools } from '../../src/adapter/ai-sdk/from-ai-tools.ts';
import { mendMiddleware } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import { toAiTools } from '../../src/adapter/ai-sdk/to-ai-tools.ts';
import { toolOutput } from '../../src/execute/tool-result.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool as ownTool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { asked, call, modelThat, told } from './ai-sdk-scripted.ts';

describe('toAiTools', () => {
  const seen: unknown[] = [];
  const toolbox = new Toolbox([
    ownTool({
      name: 'read_file',
      description: 'Reads a file',
      inputSchema: z.object({ path: z.string(), limit: z.number().default(10) }),
      effect: 'read',
      execute: (input) => {
        seen.push(input);
        return { lines: 3 };
      },
    }),
    ownTool({
      name: 'fails',
      description: 'Fails',
      inputSchema: z.object({}),
      execute: () => ({ ok: false, error: 'No disk', recommendations: ['Wait'] }),
    }),
    ownTool({
      name: 'throws',
      description: 'Throws',
      inputSchema: z.object({}),
      execute: () => Promise.reject(new Error('Gone')),
    }),
    ownTool({
      name: 'hangs',
      description: 'Hangs',
      inputSchema: z.object({}),
      timeout: 20,
      execute: () => new Promise(() => {}),
    }),
    ownTool({
      name: 'draws',
      description: 'Draws',
      inputSchema: z.object({}),
      execute: () => toolOutput({ content: [{ type: 'text', text: 'A dot' }], structured: { dots: 1 } }),
    }),
  ]);
  const run = async (first: ScriptedTurn) => {
    seen.length = 0;
    const model = await modelThat(first, 'Done.');
    return generateText({ model, tools: toAiTools(toolbox), prompt: 'Go on.', stopWhen: isStepCount(2) });
  };

  it("exposes the tools unchanged, and runs them with the validator's output", async () => {
    const { toolResults, text } = await run(call('read_file', '{"path": "a.ts"}'));
    expect(seen).toEqual([{ path: 'a.ts', limit: 10 }]);
    expect(toolResults).toMatchObject([{ output: { lines: 3 } }]);
    expect({ text, told: told() }).toEqual({ text: 'Done.', told: '{"lines":3}' });
    expect(asked()?.tools?.map((one) => 'name' in one && one.name)).toEqual(toolbox.list().map(({ name }) => name));
  });

  it('C10 mends by the schema and notes dropped keys, without middleware', async () => {
    await run(call('read_file', '{"path": ["a.ts"], "limit": "5", "colour": 1}'));
    expect(seen).toEqual([{ path: 'a.ts', limit: 5 }]);
    expect(told()).toBe('{"lines":3}\nNote: Unknown parameter \'colour\' was ignored');
  });

  it('S4.1 reports a missing field before anything runs, with our message', async () => {
    await run(call('read_file', '{"limit": 5}'));
    expect(seen).toEqual([]);
    expect(told()).toContain("1. Field 'path' is required but missing");
  });

  it.each([
    ['fails', 'No disk\n\n- Wait'],
    ['throws', 'Gone\n\n- '],
    ['hangs', 'It did not finish within 20 ms'],
  ])('F15 F16 returns one error without a stack for a tool that %s', async (name, words) => {
    const { text } = await run(call(name, '{}'));
    expect(text).toBe('Done.');
    const { error } = JSON.parse(told()) as { error: string };
    expect(error.startsWith(words)).toBe(true);
    expect(error).not.toMatch(/^\s+at /m);
  });

  it('returns content parts to the model and the value to the program', async () => {
    const { toolResults } = await run(call('draws', '{}'));
    expect(toolResults).toMatchObject([{ output: { dots: 1 } }]);
    expect(told()).toBe('A dot');
  });

  it('keeps results of conversations apart, even if their calls share an id', async () => {
    const { read_file } = toAiTools(toolbox);
    const about = { toolCallId: 'call_0', messages: [], context: {} };
    const output = await read_file?.execute?.({ path: 'a.ts' }, about);
    const shown = (data: unknown) => read_file?.toModelOutput?.({ toolCallId: 'call_0', input: {}, output: data });
    expect(await shown(output)).toEqual({ type: 'text', value: '{"lines":3}' });
    expect(await shown({ lines: 7 })).toEqual({ type: 'text', value: '{"lines":7}' });
  });

  it('converts there and back', async () => {
    const back = await fromAiTools(toAiTools(toolbox));
    expect(back.list().map(({ name, description }) => ({ name, description }))).toEqual(
      toolbox.list().map(({ name, description }) => ({ name, description })),
    );
    const { result } = await invoke({ id: 'c', name: 'readFile', arguments: "{path: 'a.ts'}" }, { toolbox: back });
    expect(result?.content).toEqual([{ type: 'text', text: '{"lines":3}' }]);
  });
});

describe('fromAiTools', () => {
  const tools = {
    zod: tool({ description: 'Zod', inputSchema: z.object({ n: z.number().default(1) }), execute: ({ n }) => n + 1 }),
    waits: tool({
      description: 'Zod that waits',
      inputSchema: z.object({ n: z.number().refine(async (n) => n < 5, 'n is too large') }),
      execute: ({ n }) => n,
    }),
    json: dynamicTool({
      description: 'JSON Schema',
      inputSchema: jsonSchema({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
      execute: async function* (input) {
        yield 'soon';
        yield (input as { n: number }).n;
      },
    }),
    checked: tool({
      description: 'JSON Schema with a check',
      inputSchema: jsonSchema<{ n: number }>(
        { type: 'object' },
        {
          validate: (value) =>
            (value as { n: number }).n > 0
              ? { success: true, value: value as { n: number } }
              : { success: false, error: new Error('n is not positive') },
        },
      ),
      execute: ({ n }) => n,
      toModelOutput: ({ output }) => ({ type: 'content', value: [{ type: 'text', text: `n is ${output}` }] }),
    }),
  };
  const run = async (name: string, given: unknown) => {
    const { result } = await invoke({ id: 'c', name, arguments: given }, { toolbox: await fromAiTools(tools) });
    const [first] = result?.content ?? [];
    return first && 'text' in first ? first.text : undefined;
  };

  it("returns a tool's picture to the model as a picture", async () => {
    const draws = tool({
      description: 'Draws',
      inputSchema: z.object({}),
      execute: () => 'drawn',
      toModelOutput: () => ({
        type: 'content',
        value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([0, 255, 7]) } }],
      }),
    });
    const { result } = await invoke(
      { id: 'c', name: 'draws', arguments: {} },
      { toolbox: await fromAiTools({ draws }) },
    );
    expect(result?.content).toEqual([{ type: 'media', mediaType: 'image/png', source: { data: 'AP8H' } }]);
  });

  it.each([
    ['zod', '{}', '2'],
    ['zod', '{"n": "4"}', '5'],
    ['waits', '{"n": 4}', '4'],
    ['waits', '{"n": 7}', 'n is too large'],
    ['json', '{"n": "3"}', '3'],
    ['json', '{}', "Field 'n' is required but missing"],
    ['checked', '{"n": 2}', 'n is 2'],
    ['checked', '{"n": 0}', 'n is not positive'],
  ])('%s with %s returns %s', async (name, given, says) => {
    expect(await run(name, given)).toContain(says);
  });
});

describe('other features of the SDK', () => {
  const seen: unknown[] = [];
  const tools = {
    split: tool({
      description: 'Takes a list, or text that it takes apart itself',
      inputSchema: z.object({
        names: z.preprocess(
          (given) => (given === 'all' ? ['x', 'y'] : typeof given === 'string' ? given.split(',') : given),
          z.array(z.string()),
        ),
      }),
      execute: (input) => {
        seen.push(input);
        return 'Split.';
      },
    }),
  };
  const mending = async (...turns: (ScriptedTurn | string)[]) =>
    wrapLanguageModel({
      model: await modelThat(...turns),
      middleware: mendMiddleware(),
    });

  it('C15 a ToolLoopAgent continues with a mended call', async () => {
    seen.length = 0;
    const agent = new ToolLoopAgent({ model: await mending(call('Split', "{names: ['a', 'b'],}"), 'Done.'), tools });
    expect((await agent.generate({ prompt: 'Go on.' })).text).toBe('Done.');
    expect(seen).toEqual([{ names: ['a', 'b'] }]);
  });

  it("S2.3 input that a tool's own schema accepts is valid, whatever its JSON Schema says", async () => {
    seen.length = 0;
    const model = await mending(call('split', "{names: 'a,b',}"), 'Done.');
    await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(2) });
    expect(seen).toEqual([{ names: ['a', 'b'] }]);
  });

  it('S2.3 text that a tool splits itself is not made a list', async () => {
    seen.length = 0;
    const model = await mending(call('split', '{"names": "all"}'), 'Done.');
    await generateText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(2) });
    expect(seen).toEqual([{ names: ['x', 'y'] }]);
  });

  it('structured output stays unchanged, even if it looks like a call', async () => {
    const words = '{"name": "split", "arguments": {"names": ["a"]}}';
    const model = await mending(words);
    const schema = z.object({ name: z.string(), arguments: z.object({ names: z.array(z.string()) }) });
    const { output, steps } = await generateText({ model, tools, prompt: 'Go on.', output: Output.object({ schema }) });
    expect(output).toEqual(JSON.parse(words));
    expect(steps).toHaveLength(1);
  });

  it('listeners get the arguments of a call while they stream', async () => {
    const model = await mending({ ...call('split', '{"names": ["a long name", "another one"]}'), chunk: 5 }, 'Done.');
    const { fullStream } = streamText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(2) });
    const deltas: string[] = [];
    for await (const part of fullStream) if (part.type === 'tool-input-delta') deltas.push(part.delta);
    expect(deltas.length).toBeGreaterThan(3);
    expect(JSON.parse(deltas.join(''))).toEqual({ names: ['a long name', 'another one'] });
  });

  it('without tools, nothing changes', async () => {
    const words = '<tool_call>{"name": "split", "arguments": {}}</tool_call>';
    const { text } = await generateText({ model: await mending(words), prompt: 'Go on.' });
    expect(text).toBe(words);
  });
});
