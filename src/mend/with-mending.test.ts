import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';
import { withMending } from './with-mending.ts';

const json = {
  type: 'object',
  properties: { files: { type: 'array', items: { type: 'string' } }, limit: { type: 'number' } },
  required: ['files'],
};
const sources: Readonly<Record<string, unknown>> = {
  Zod: z.object({ files: z.array(z.string()), limit: z.number().optional() }),
  'JSON Schema': json,
  ArkType: type({ files: 'string[]', 'limit?': 'number' }),
  Valibot: toStandardJsonSchema(v.object({ files: v.array(v.string()), limit: v.optional(v.number()) })),
};
const validate = (source: unknown, value: unknown) => withMending(source)['~standard'].validate(value);

describe.each(Object.entries(sources))('mended(%s)', (_, source) => {
  it('is a Standard Schema, version 1', () => {
    expect(withMending(source)['~standard']).toMatchObject({ version: 1, vendor: 'toolmend' });
  });

  it.each<[string, unknown]>([
    ['a good value', { files: ['a.ts'], limit: 5 }],
    ['lists and numbers as text', { files: '["a.ts"]', limit: '5' }],
    ['a list of one', { files: 'a.ts', limit: 5 }],
    ['the whole as text', "{files: ['a.ts'], limit: 5,}"],
    ['keys in other letters', { Files: ['a.ts'], LIMIT: 5 }],
  ])('takes %s', (_name, value) => {
    expect(validate(source, value)).toEqual({ value: { files: ['a.ts'], limit: 5 } });
  });

  it.each<[string, unknown, readonly (string | number)[]]>([
    ['a field missing', { limit: 5 }, ['files']],
    ['a number in words', { files: [], limit: 'five' }, ['limit']],
    ['text with a comma for a list', { files: 'a.ts, b.ts' }, ['files']],
    ['something else', 5, []],
  ])('refuses %s with an issue at its path', (_name, value, path) => {
    const result = validate(source, value);
    if (!('issues' in result)) throw new Error('expected issues');
    expect(result.issues[0]?.path).toEqual(path);
    expect(result.issues[0]?.message).toMatch(path.length ? new RegExp(`^Field '${path.join('.')}'`) : /^Root object/);
  });

  it("has the original's JSON Schema", () => {
    const schema = withMending(source)['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    expect(schema).toMatchObject({ type: 'object', required: ['files'], properties: { files: { type: 'array' } } });
    expect(JSON.stringify(schema)).not.toContain('x-strip');
    expect(JSON.stringify(withMending(source)['~standard'].jsonSchema.output({ target: 'draft-2020-12' }))).toContain(
      'files',
    );
  });

  it('can itself be the input of a tool', () => {
    const toolbox = new Toolbox([tool({ name: 'search', description: 'Searches', inputSchema: withMending(source) })]);
    expect(mend({ name: 'search', arguments: { files: 'a.ts' } }, toolbox)).toMatchObject({
      value: { files: ['a.ts'] },
    });
    expect(mend({ name: 'search', arguments: {} }, toolbox)).toMatchObject({ status: 'invalid' });
  });
});

it("mended gives Zod's own output: defaults and transforms", () => {
  const schema = z.object({ at: z.coerce.date(), n: z.number().default(1) });
  expect(validate(schema, "{'at': '2024-05-01'}")).toEqual({ value: { at: new Date('2024-05-01'), n: 1 } });
});

it('mended gives the JSON Schema of what goes in and of what comes out', () => {
  const { jsonSchema } = withMending(z.object({ n: z.number().default(1) }))['~standard'];
  expect(jsonSchema.input({ target: 'draft-2020-12' }).required).toBeUndefined();
  expect(jsonSchema.output({ target: 'draft-2020-12' }).required).toEqual(['n']);
});

it('mended of a schema without a JSON Schema checks, and says what is missing when asked for one', () => {
  const schema = withMending(v.object({ a: v.string() }));
  expect(schema['~standard'].validate("{'a': 'x',}")).toEqual({ value: { a: 'x' } });
  expect(() => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toThrow(/no JSON Schema/);
});

it('mended of a text takes text as it is', () => {
  expect(validate(z.string(), '{"a": 1}')).toEqual({ value: '{"a": 1}' });
  expect(validate(z.number(), '5')).toEqual({ value: 5 });
  expect(validate(z.number().nullable(), null)).toEqual({ value: null });
});
