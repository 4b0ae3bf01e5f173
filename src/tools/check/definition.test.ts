import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cpuOf } from '../../../test/cpu-of.ts';
import { makeTool, type Tool, type ToolDefinition } from '../tool.ts';
import { definitionFaults } from './definition.ts';

const faultsOf = (input: unknown, more: Partial<ToolDefinition> = {}) =>
  definitionFaults(
    makeTool({ name: 'lookup', description: 'Looks up', inputSchema: input, ...more } as ToolDefinition) as Tool,
  );
const fieldsOf = (input: unknown, more: Partial<ToolDefinition> = {}) =>
  faultsOf(input, more).map(({ field }) => field);
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const x = (schema: unknown) => object({ x: schema });

describe('what is sound', () => {
  it.each<[string, unknown]>([
    ['no schema', undefined],
    ['no parameters', { type: 'object' }],
    ['nested objects and lists', x(object({ list: { type: 'array', items: object({ zip: { type: 'string' } }) } }))],
    ['an enum without a type', x({ enum: ['a', 'b'] })],
    ['a constant, a null', object({ a: { const: 1 }, b: { type: 'null' } })],
    ['several types', x({ type: ['string', 'null'] })],
    ['a union', x({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
    ['a list of anything', x({ type: 'array' })],
    ['a map of anything', x({ type: 'object', additionalProperties: {} })],
    ['a tuple', x({ type: 'array', prefixItems: [{ type: 'string' }], items: false })],
    [
      'either or',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ],
    ['names that a branch declares', { type: 'object', required: ['a'], allOf: [object({ a: { type: 'string' } })] }],
    [
      'names that a reference declares',
      {
        type: 'object',
        required: ['a'],
        allOf: [{ $ref: '#/$defs/A' }],
        $defs: { A: object({ a: { type: 'string' } }) },
      },
    ],
    ['names that must not be', object({ a: { type: 'string' } }, { not: { required: ['b'] } })],
    [
      'a pattern declares them',
      { type: 'object', required: ['x-a'], patternProperties: { '^x-': { type: 'string' } } },
    ],
    ['a root behind a reference', { $ref: '#/$defs/A', $defs: { A: object({ a: { type: 'string' } }) } }],
    ['a recursive type', x({ $ref: '#' })],
    [
      'a recursive definition',
      {
        ...x({ $ref: '#/$defs/Node' }),
        $defs: { Node: object({ next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } }) },
      },
    ],
    [
      'a part found by its id',
      { ...x({ $ref: 'https://example.com/a' }), $defs: { A: { $id: 'https://example.com/a', type: 'string' } } },
    ],
    ['zod', z.object({ a: z.string().optional(), b: z.array(z.object({ c: z.number().default(1) })) })],
    [
      'recursive zod',
      z.object({
        get next() {
          return z.string().array();
        },
      }),
    ],
    ['valibot', v.object({ a: v.string() })],
  ])('%s', (_, input) => {
    expect(faultsOf(input)).toEqual([]);
  });
});

describe('S3.3 definitions are checked to any depth, with the path of the field', () => {
  it.each<[string, unknown, string[]]>([
    ['no root type', { properties: {} }, ['parameters.type']],
    ['a root that is no object', { type: 'string' }, ['parameters.type']],
    ['a root that may be null', { type: ['object', 'null'] }, ['parameters.type']],
    ['true for a root', true, ['parameters.type']],
    ['a text for a schema', 'path: string', ['parameters']],
    ['an untyped property', x({}), ['parameters.properties.x.type']],
    ['a property that is only described', x({ description: 'something' }), ['parameters.properties.x.type']],
    ['true for a property', x(true), ['parameters.properties.x.type']],
    ['a property that is no schema', x('string'), ['parameters.properties.x.type']],
    ['an unknown type', x({ type: 'strng' }), ['parameters.properties.x.type']],
    ['an empty list of types', x({ type: [] }), ['parameters.properties.x.type']],
    ['a nested property', object({ user: object({ name: {} }) }), ['parameters.properties.user.name.type']],
    [
      'objects in a list in an object',
      object({ user: object({ address: { type: 'array', items: object({ zip: {} }) } }) }),
      ['parameters.properties.user.address[].zip.type'],
    ],
    ['items of a list', x({ type: 'array', items: {} }), ['parameters.properties.x[].type']],
    [
      'a place of a tuple',
      object({ tuple: { type: 'array', items: [{}, { type: 'string' }] } }),
      ['parameters.properties.tuple[0].type'],
    ],
    [
      'a place of a new tuple',
      object({ x: object({ tuple: { type: 'array', prefixItems: [{ type: 'string' }, object({ a: {} })] } }) }),
      ['parameters.properties.x.tuple[1].a.type'],
    ],
    ['inside a branch', x({ anyOf: [object({ a: {} })] }), ['parameters.properties.x.anyOf[0].a.type']],
    [
      'inside a definition',
      { ...x({ $ref: '#/$defs/A' }), $defs: { A: object({ b: {} }) } },
      ['parameters.$defs.A.b.type'],
    ],
    ['an empty enum', x({ enum: [] }), ['parameters.properties.x.enum']],
    ['properties as a list', { type: 'object', properties: [] }, ['parameters.properties']],
    ['zod, which types what JSON Schema cannot name', z.object({ x: z.any(), y: z.unknown(), z: z.coerce.date() }), []],
    ['zod, with a type that JSON cannot express', z.object({ z: z.date() }), ['parameters.properties.z.type']],
    ['zod that is no object', z.string(), ['parameters.type']],
  ])('S3.3 %s', (_, input, fields) => {
    expect(fieldsOf(input)).toEqual(fields);
  });

  it('S3.3 every fault is found, what is near the root first, and each says what to do', () => {
    const faults = faultsOf(object({ a: object({ b: {} }), c: { type: 'int' } }, { required: ['d'] }), {
      description: ' ',
    });
    expect(faults.map(({ field }) => field)).toEqual([
      'description',
      'parameters.required',
      'parameters.properties.c.type',
      'parameters.properties.a.b.type',
    ]);
    expect(faults.every(({ message, fix }) => message && fix)).toBe(true);
    expect(faults[2]?.fix).toBe("Write 'integer'");
  });

  it.each([
    ['no name', { name: '' }, 'name'],
    ['a name of signs', { name: '⚙' }, 'name'],
    ['no description', { description: '' }, 'description'],
    ['an unknown effect', { effect: 'delete' as 'write' }, 'effect'],
  ])('S3.3 %s', (_, more, field) => {
    expect(fieldsOf(undefined, more)).toEqual([field]);
  });
});

describe('C11 required names that no property declares', () => {
  it.each([
    ['at the root', object({ path: { type: 'string' } }, { required: ['path', 'mode'] }), 'parameters.required'],
    ['without any properties', { type: 'object', required: ['a'] }, 'parameters.required'],
    [
      'deep down',
      x({ type: 'array', items: object({ a: { type: 'string' } }, { required: ['b'] }) }),
      'parameters.properties.x[].required',
    ],
    [
      'in a branch',
      x({ anyOf: [object({ a: { type: 'string' } }, { required: ['b'] })] }),
      'parameters.properties.x.anyOf[0].required',
    ],
    ['inherited names do not count', object({}, { required: ['toString'] }), 'parameters.required'],
    ['as a flag', x({ type: 'string', required: true }), 'parameters.properties.x.required'],
  ])('C11 %s', (_, input, field) => {
    expect(fieldsOf(input)).toEqual([field]);
  });

  it('C11 the name that was meant is offered', () => {
    expect(faultsOf(object({ filePath: { type: 'string' } }, { required: ['file_path'] }))[0]?.fix).toBe(
      "Write 'filePath'",
    );
  });
});

describe('F8 patterns', () => {
  it('F8 what RE2 can not run is said when the tool is added', () => {
    expect(fieldsOf(x({ type: 'string', pattern: '(?=a)b\\1' }))).toEqual(['parameters.properties.x.pattern']);
    expect(fieldsOf({ type: 'object', patternProperties: { '(a)\\1': { type: 'string' } } })).toEqual([
      'parameters.patternProperties',
    ]);
  });

  it('F8 a pattern that is slow elsewhere is fine, because RE2 runs it', () => {
    expect(faultsOf(x({ type: 'string', pattern: '^(a+)+$' }))).toEqual([]);
  });
});

describe('F14 hostile schemas are refused when added', () => {
  const nested = (depth: number) => {
    let schema: Record<string, unknown> = { type: 'string' };
    for (let i = 0; i < depth; i++) schema = object({ a: schema });
    return schema;
  };
  const itself = x({ type: 'object' });
  (itself.properties.x as Record<string, unknown>).properties = { again: itself };

  it.each<[string, unknown, string]>([
    ['a remote $ref', x({ $ref: 'https://example.com/schema.json' }), 'parameters.properties.x.$ref'],
    ['a file', x({ $ref: 'other.json#/a' }), 'parameters.properties.x.$ref'],
    ['a $ref to nothing', x({ $ref: '#/$defs/Missing' }), 'parameters.properties.x.$ref'],
    [
      'a $ref to itself',
      { ...x({ $ref: '#/$defs/A' }), $defs: { A: { $ref: '#/$defs/A' } } },
      'parameters.$defs.A.$ref',
    ],
    [
      'a circle of two',
      { ...x({ $ref: '#/$defs/A' }), $defs: { A: { $ref: '#/$defs/B' }, B: { anyOf: [{ $ref: '#/$defs/A' }] } } },
      'parameters.$defs.A.$ref',
    ],
    ['100,000 levels', nested(100_000), 'parameters'],
    ['a schema that holds itself', itself, 'parameters'],
    ['10 MB in one word', x({ type: 'string', description: 'a'.repeat(10_000_000) }), 'parameters'],
    [
      '10 MB in many',
      object(Object.fromEntries(Array.from({ length: 400_000 }, (_, i) => [`property_${i}`, { type: 'string' }]))),
      'parameters',
    ],
  ])('F14 %s', (_, input, field) => {
    expect(cpuOf(() => expect(fieldsOf(input)).toEqual([field]))).toBeLessThan(1000);
  });

  it('F14 a chain of 10,000 references is followed without a deep stack', () => {
    const defs = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]));
    expect(faultsOf({ ...x({ $ref: '#/$defs/d0' }), $defs: { ...defs, d10000: { type: 'string' } } })).toEqual([]);
  });

  it('F14 just under the limit is judged in good time', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }]));
    const given = object(many, { required: Object.keys(many) });
    expect(cpuOf(() => expect(faultsOf(given)).toEqual([]))).toBeLessThan(1000);
  });
});

describe('F14 schemas past the stated budget are refused when added', () => {
  const union = (i: number) => ({
    anyOf: [object({ [`a${i}`]: { type: 'string' } }), object({ [`b${i}`]: { type: 'string' } })],
  });
  const unions = (count: number) => x({ allOf: Array.from({ length: count }, (_, i) => union(i)) });
  const mixed = (depth: number) => ({
    ...x({ $ref: '#/$defs/d0' }),
    $defs: Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, i) => [
        `d${i}`,
        i === depth ? union(0) : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, union(i)] },
      ]),
    ),
  });
  const patterns = (count: number) =>
    object({}, { patternProperties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`^k${i}_`, {}])) });
  it.each<[string, unknown, string]>([
    ['an allOf of ten unions', unions(10), 'parameters'],
    ['a tower of unions by reference', mixed(40), 'parameters'],
    ['101 patterns for names', patterns(101), 'parameters.patternProperties'],
  ])('%s', (_, schema, field) => {
    expect(fieldsOf(schema)).toEqual([field]);
  });
  it.each<[string, unknown]>([
    ['guard: an allOf of eight unions', unions(8)],
    ['guard: a union of 2,000 forms beside properties', object({}, { anyOf: Array.from({ length: 2000 }, union) })],
    ['guard: 100 patterns for names', patterns(100)],
  ])('%s', (_, schema) => {
    expect(fieldsOf(schema)).toEqual([]);
  });
});

describe('schemas in use', () => {
  it.each<[string, unknown]>([
    [
      'a Standard Schema',
      { '~standard': { version: 1, vendor: 'later', validate: async (value: unknown) => ({ value }) } },
    ],
    [
      'valibot',
      v.pipeAsync(
        v.object({}),
        v.checkAsync(async () => true),
      ),
    ],
    ['zod, at the root', z.object({}).refine(async () => true)],
    ['zod, behind a required field', z.object({ a: z.array(z.string().refine(async () => true)) })],
    ['zod, by a transform', z.object({ a: z.string().transform(async (text) => text) })],
    ['zod, by a promise', z.object({}).refine(() => Promise.resolve(true))],
    ['zod, by a later check', z.object({}).superRefine(async () => {})],
  ])('one that can only check asynchronously is refused: %s', (_, input) => {
    expect(faultsOf(input)).toMatchObject([{ field: 'parameters', message: expect.stringMatching(/asynchronously/) }]);
  });

  it('one with refinements and transforms that answer at once is fine', () => {
    const input = z.object({
      a: z.preprocess(
        (x) => x,
        z.string().refine(() => true),
      ),
      b: z.string().transform(Number),
    });
    expect(faultsOf(input)).toEqual([]);
  });

  it('an example that fails its own schema is a fault at its place', () => {
    const examples = [{ input: { x: 'a' } }, { input: { x: 5 } }];
    for (const input of [x({ type: 'string' }), z.object({ x: z.string() })]) {
      const faults = faultsOf(input, { metadata: { examples } });
      expect(faults).toMatchObject([{ field: 'metadata.examples[1].input', message: expect.stringContaining("'x'") }]);
    }
  });
});
