import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../json/value.ts';
import { type Tool, tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';
import { mendValue } from './mend-value.ts';
import type { GoodOutcome, Outcome } from './outcome.ts';

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  effect: 'read',
  inputSchema: z.object({ path: z.string(), limit: z.number().default(10) }),
  execute: ({ path }) => path,
});

const move = tool({
  name: 'move',
  description: 'Moves a robot',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', enum: ['left', 'right'] }, steps: { type: 'integer' } },
    required: ['to'],
  },
});

const ping = tool({ name: 'ping', description: 'Pings' });

describe('a toolbox that knows its tools', () => {
  const toolbox = new Toolbox([readFile, move, ping]);

  it('guard: narrows the input and the value of an outcome by its name', () => {
    const outcome = mend({ name: 'read_file', arguments: '{"path": "a.ts"}' }, toolbox);
    if (outcome.status === 'invalid') throw new Error('The call is valid');
    expectTypeOf(outcome.name).toEqualTypeOf<'read_file' | 'move' | 'ping'>();
    if (outcome.name === 'read_file') {
      expectTypeOf(outcome.input).toEqualTypeOf<{ path: string; limit?: number | undefined }>();
      expectTypeOf(outcome.value).toEqualTypeOf<{ path: string; limit: number }>();
      expectTypeOf(outcome.tool).toEqualTypeOf(readFile);
    }
    if (outcome.name === 'move') {
      expectTypeOf(outcome.input).toEqualTypeOf<{ to: 'left' | 'right'; steps?: number }>();
      expectTypeOf(outcome.value).toEqualTypeOf<{ to: 'left' | 'right'; steps?: number }>();
    }
    if (outcome.name === 'ping') expectTypeOf(outcome.input).toEqualTypeOf<unknown>();
    expect(outcome).toMatchObject({ name: 'read_file', input: { path: 'a.ts' }, value: { path: 'a.ts', limit: 10 } });
  });

  it('guard: gives its tools with their types', () => {
    expectTypeOf(toolbox.get('move')).toEqualTypeOf<typeof readFile | typeof move | typeof ping | undefined>();
    expectTypeOf(toolbox.list()).toEqualTypeOf<(typeof readFile | typeof move | typeof ping)[]>();
    const more = new Toolbox([readFile]).add(move);
    expectTypeOf(more).toEqualTypeOf<Toolbox<typeof readFile | typeof move>>();
    expect([...more].map(({ name }) => name)).toEqual(['read_file', 'move']);
  });

  it('guard: stands where any toolbox may stand', () => {
    const some: Toolbox = toolbox;
    expectTypeOf(mend({ name: 'ping', arguments: '' }, some)).toEqualTypeOf<Outcome>();
    expectTypeOf(toolbox).toExtend<Toolbox>();
    expectTypeOf<GoodOutcome<typeof readFile>>().toExtend<GoodOutcome>();
    expect(some).toBe(toolbox);
  });

  it('guard: promises nothing of tools that it does not know', () => {
    const listed: Tool[] = [readFile, ping];
    expectTypeOf(new Toolbox(listed)).toEqualTypeOf<Toolbox>();
    expectTypeOf(new Toolbox()).toEqualTypeOf<Toolbox>();
    // An empty list is filled later.
    expectTypeOf(mend({ name: 'ping', arguments: '' }, new Toolbox([]))).toEqualTypeOf<Outcome>();
    const outcome = mend({ name: 'ping', arguments: '{}' }, new Toolbox(listed));
    expectTypeOf(outcome.input).toEqualTypeOf<unknown>();
    expect(outcome.status).toBe('ok');
  });
});

describe('types in other places', () => {
  it('guard: tools defined in the list keep their types', () => {
    const toolbox = new Toolbox([
      tool({ name: 'a', description: 'A', inputSchema: z.object({ x: z.number() }) }),
      tool({
        name: 'b',
        description: 'B',
        inputSchema: { type: 'object', properties: { y: { type: 'string' } }, required: ['y'] },
      }),
    ]);
    const outcome = mend({ name: 'a', arguments: '{"x": 1}' }, toolbox);
    if (outcome.status === 'invalid') throw new Error('The call is valid');
    if (outcome.name === 'a') expectTypeOf(outcome.value).toEqualTypeOf<{ x: number }>();
    else expectTypeOf(outcome.value).toEqualTypeOf<{ y: string }>();
    expect(outcome.name).toBe('a');
  });

  it('guard: types the partial values of a stream by the input of its schema', async () => {
    const chunks = async function* (): AsyncGenerator<string> {
      yield '{"title": "A", "people": [{"name": "B';
      yield '"}]}';
    };
    const schema = z.object({ title: z.string().transform(Number), people: z.array(z.object({ name: z.string() })) });
    const stream = mendValue(chunks(), schema);
    const titles: (string | undefined)[] = [];
    for await (const { value } of stream) {
      expectTypeOf(value).toEqualTypeOf<{ title?: string; people?: { name?: string }[] } | undefined>();
      titles.push(value?.people?.[0]?.name);
    }
    expect(titles.at(-1)).toBe('B');
    expectTypeOf((await stream.result).status).toEqualTypeOf<'ok' | 'mended' | 'invalid'>();
    for await (const { value } of mendValue(chunks())) expectTypeOf(value).toEqualTypeOf<JsonValue | undefined>();
  });
});
