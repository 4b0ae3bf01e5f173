import { readdir, readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { cpuOf } from '../../test/cpu-of.ts';
import { type Tool, type ToolProperty, tool } from './tool.ts';
import { Toolbox } from './toolbox.ts';

const words = { name: 'a', description: 'A' };

describe('tool', () => {
  it('writes, once, unless it is said', () => {
    expect(tool(words)).toMatchObject({
      ...words,
      effect: 'write',
      repeat: 'once',
      metadata: {},
      inputSchema: undefined,
    });
  });

  it('execute is typed from Zod, by its output', () => {
    tool({
      ...words,
      inputSchema: z.object({ path: z.string(), limit: z.number().default(5), tags: z.array(z.string()).optional() }),
      execute: (input) =>
        expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number; tags?: string[] | undefined }>(),
    });
  });

  it('execute is typed from any Standard Schema', () => {
    tool({
      ...words,
      inputSchema: v.object({ count: v.pipe(v.string(), v.transform(Number)) }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ count: number }>(),
    });
  });

  it('execute is typed from a JSON Schema written in place', () => {
    tool({
      ...words,
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          mode: { enum: ['r', 'w'] },
          version: { const: 2 },
          lines: { type: 'array', items: { type: 'integer' } },
          owner: { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'] },
          either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
          anything: { $ref: '#/$defs/X' },
        },
        required: ['path', 'mode', 'lines', 'owner'],
      },
      execute: (input) =>
        expectTypeOf(input).toEqualTypeOf<{
          path: string;
          mode: 'r' | 'w';
          lines: number[];
          owner: { id: string | null };
          version?: 2;
          either?: string | boolean;
          anything?: unknown;
        }>(),
    });
  });

  it('a tool of any input fits a toolbox', () => {
    const typed = tool({ ...words, inputSchema: z.object({ path: z.string() }), execute: ({ path }) => path.length });
    expectTypeOf(typed).toExtend<Tool>();
    expect(new Toolbox([typed]).size).toBe(1);
  });

  it('S3.2 the whole vocabulary and the metadata are typed', () => {
    const property: ToolProperty = {
      type: 'string',
      minLength: 1,
      maxLength: 9,
      pattern: '^a',
      format: 'email',
      enum: ['a'],
      const: 'a',
      minimum: 1,
      maximum: 2,
      exclusiveMinimum: 0,
      exclusiveMaximum: 3,
      multipleOf: 1,
      items: { type: 'string' },
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      properties: {},
      required: [],
      additionalProperties: false,
      minProperties: 0,
      maxProperties: 1,
      anyOf: [],
      oneOf: [],
      allOf: [],
      not: {},
      default: 'a',
      examples: ['a'],
      title: 'T',
      description: 'D',
      deprecated: true,
      readOnly: true,
      writeOnly: false,
    };
    expectTypeOf<ToolProperty['minLength']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ToolProperty['uniqueItems']>().toEqualTypeOf<boolean | undefined>();
    const metadata = {
      category: 'files',
      tags: ['read'],
      version: '1.0.0',
      documentationUrl: 'https://example.com/read',
      examples: [{ input: { x: 'a' }, output: 'text', description: 'One' }],
      customFields: { owner: 'team' },
    };
    const made = tool({ ...words, inputSchema: { type: 'object', properties: { x: { type: 'string' } } }, metadata });
    expect(new Toolbox([made]).get('a')?.metadata).toEqual(metadata);
    expect(property.title).toBe('T');
  });
});

describe('S3.1 the tool layer knows nothing of providers', () => {
  it('S3.1 imports only itself, the schema layer and the json layer', async () => {
    const folder = new URL('.', import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(files).toContain('tool.ts');
    for (const file of files) {
      const source = await readFile(new URL(file, folder), 'utf8');
      const imported = [...source.matchAll(/^(?:import|export|\}).*? from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
        ([, a, b]) => a ?? b,
      );
      for (const from of imported) expect(`${file}: ${from}`).toMatch(/: (\.\/|\.\.\/schema\/|\.\.\/json\/)/);
    }
  });
});

describe('adding many tools', () => {
  it('compiles nothing until a call needs it', () => {
    // Both drafts' classes inherit `compile`, so that one spy sees either.
    const compile = vi.spyOn(Object.getPrototypeOf(Ajv.prototype) as Ajv, 'compile');
    const many = () =>
      new Toolbox(
        Array.from({ length: 1000 }, (_, i) =>
          tool({
            name: `tool_number_${i}`,
            description: 'One of many',
            inputSchema: {
              type: 'object',
              properties: { [`p${i}`]: { type: 'string', minLength: i } },
              required: [`p${i}`],
            },
          }),
        ),
      );
    const boxes: Toolbox[] = [];
    const spent = cpuOf(() => boxes.push(many()));
    expect(compile).not.toHaveBeenCalled();
    // Compiling one takes about a millisecond, so that a thousand compiled could not stay under this.
    expect(spent).toBeLessThan(500);
    expect(boxes[0]?.get('tool_number_7')?.schema.check({ p7: 'six' }).ok).toBe(false);
    expect(compile).toHaveBeenCalledOnce();
    compile.mockRestore();
  });
});
