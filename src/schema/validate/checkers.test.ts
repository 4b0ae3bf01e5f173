/** One suite over both checkers: generated code and the interpreter must decide and speak alike. */
import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import type { JsonSchema } from '../types.ts';
import { checkerFor } from './compile.ts';

type Row = [what: string, schema: JsonSchema, value: unknown, ...messages: string[]];

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, config: { type: 'object', properties: { timeout: { type: 'number' } } } },
  required: ['name'],
} as const satisfies JsonSchema;

const rows: Row[] = [
  ['S3.5 a missing field', person as JsonSchema, {}, "Field 'name' is required but missing"],
  [
    'S3.5 a wrong type',
    { type: 'object', properties: { limit: { type: 'number' } } },
    { limit: '5' },
    "Field 'limit' expected number, got string",
  ],
  [
    'S0.4 a nested path',
    person as JsonSchema,
    { name: 'a', config: { timeout: null } },
    "Field 'config.timeout' expected number, got null",
  ],
  ['S0.4 the root', { type: 'object' }, [], 'Root object expected object, got array'],
  [
    'S0.4 several at once, in the order of the fields',
    {
      type: 'object',
      properties: {
        file_path: { type: 'string' },
        limit: { type: 'number' },
        config: person.properties.config as JsonSchema,
      },
      required: ['file_path'],
    },
    { config: { timeout: null }, limit: '5' },
    "Field 'file_path' is required but missing",
    "Field 'limit' expected number, got string",
    "Field 'config.timeout' expected number, got null",
  ],
  ['S3.5 enum', { properties: { x: { enum: ['a', 'b'] } } }, { x: 'c' }, `Field 'x' must be one of: a, b; got "c"`],
  ['enum of mixed values', { enum: ['1', 1, null] }, 2, 'Root object must be one of: "1", 1, null; got 2'],
  ['const', { properties: { x: { const: 'a' } } }, { x: 'c' }, `Field 'x' must be one of: a; got "c"`],
  ['S3.5 minimum', { properties: { x: { minimum: 1 } } }, { x: 0 }, "Field 'x' must be at least 1, got 0"],
  ['S3.5 maximum', { properties: { x: { maximum: 1 } } }, { x: 2 }, "Field 'x' must be at most 1, got 2"],
  [
    'exclusive minimum',
    { properties: { x: { exclusiveMinimum: 1 } } },
    { x: 1 },
    "Field 'x' must be greater than 1, got 1",
  ],
  [
    'exclusive maximum',
    { properties: { x: { exclusiveMaximum: 1 } } },
    { x: 1 },
    "Field 'x' must be less than 1, got 1",
  ],
  [
    'draft-04 exclusive minimum',
    { minimum: 1, exclusiveMinimum: true },
    1,
    'Root object must be greater than 1, got 1',
  ],
  [
    'S3.5 minLength',
    { properties: { x: { minLength: 3 } } },
    { x: 'a' },
    "Field 'x' must be at least 3 characters, got 1",
  ],
  ['S3.5 maxLength counts code points', { maxLength: 1 }, '😀😀', 'Root object must be at most 1 characters, got 2'],
  ['S3.5 minItems', { properties: { x: { minItems: 1 } } }, { x: [] }, "Field 'x' must have at least 1 items, got 0"],
  ['S3.5 maxItems', { maxItems: 1 }, [1, 2], 'Root object must have at most 1 items, got 2'],
  [
    'S3.5 uniqueItems',
    { properties: { x: { uniqueItems: true } } },
    { x: ['a', 'b', 'a'] },
    "Field 'x' must have unique items; items 0 and 2 are equal",
  ],
  [
    'unique objects',
    { uniqueItems: true },
    [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
    'Root object must have unique items; items 0 and 2 are equal',
  ],
  ['S3.5 pattern', { properties: { x: { pattern: '^a+$' } } }, { x: 'b' }, "Field 'x' must match pattern: ^a+$"],
  ['format', { properties: { x: { format: 'email' } } }, { x: 'b' }, "Field 'x' must be a valid email"],
  ['multipleOf', { properties: { x: { multipleOf: 5 } } }, { x: 7 }, "Field 'x' must be a multiple of 5, got 7"],
  ['integer', { type: 'integer' }, 5.3, 'Root object expected integer, got number'],
  [
    'an unknown key',
    { properties: { file_path: {} }, additionalProperties: false },
    { filePath: 1 },
    "Field 'filePath' is not known; did you mean 'file_path'?",
  ],
  [
    'an unknown key like no other',
    { properties: { file_path: {} }, additionalProperties: false },
    { zoom: 1 },
    "Field 'zoom' is not known",
  ],
  [
    'an unknown key close to one already given',
    { properties: { path: {} }, additionalProperties: false },
    { path: 1, paths: 1 },
    "Field 'paths' is not known",
  ],
  [
    'S3.5 nested items',
    { properties: { edits: { items: { required: ['path'] } } } },
    { edits: [{}] },
    "Field 'edits.0.path' is required but missing",
  ],
  [
    'tuple too long',
    { prefixItems: [{}, {}], items: false },
    [1, 2, 3, 4],
    'Root object must have at most 2 items, got 4',
  ],
  [
    'draft-07 tuple',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      additionalItems: { type: 'number' },
    },
    [1, 'a'],
    "Field '0' expected string, got number",
    "Field '1' expected number, got string",
  ],
  ['types in a list', { type: ['number', 'null'] }, 'a', 'Root object expected number or null, got string'],
  ['nullable', { type: 'string', nullable: true }, 5, 'Root object expected string or null, got number'],
  [
    'a union of plain types',
    { properties: { x: { anyOf: [{ type: 'number' }, { type: 'null' }] } } },
    { x: 'a' },
    "Field 'x' expected number or null, got string",
  ],
  [
    'the one form of the type',
    { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] },
    {},
    "Field 'a' is required but missing",
  ],
  [
    'a union of constants',
    { anyOf: [{ const: 'a' }, { const: 'b' }] },
    'c',
    'Root object must be one of: a, b; got "c"',
  ],
  [
    'a union picked by its tag',
    {
      oneOf: [
        { properties: { kind: { const: 'a' }, n: { type: 'number' } }, required: ['kind', 'n'] },
        { properties: { kind: { const: 'b' }, s: { type: 'string' } }, required: ['kind', 's'] },
      ],
    },
    { kind: 'b', s: 5 },
    "Field 's' expected string, got number",
  ],
  [
    'a union whose tag is wrong',
    {
      oneOf: [
        { properties: { kind: { const: 'a' } }, required: ['kind', 'n'] },
        { properties: { kind: { const: 'b' } }, required: ['kind', 's'] },
      ],
    },
    { kind: 'c' },
    `Field 'kind' must be one of: a, b; got "c"`,
  ],
  [
    'a union without a tag',
    {
      properties: {
        x: { anyOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b'] }, { type: 'string' }] },
      },
    },
    { x: {} },
    "Field 'x' fits none of its allowed forms: Field 'x.a' is required but missing; or Field 'x.b' is required but missing; or expected string, got object",
  ],
  [
    'oneOf with two that fit',
    { oneOf: [{ type: 'number' }, { minimum: 1 }] },
    5,
    'Root object fits more than one of its allowed forms (1 and 2) but must fit only one',
  ],
  ['not', { not: { type: 'string' } }, 'a', 'Root object: has a form that is not allowed'],
  [
    'words beside a $ref count in draft-07 too, as ajv has it',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/x',
      minLength: 2,
      definitions: { x: { type: 'string' } },
    },
    'a',
    'Root object must be at least 2 characters, got 1',
  ],
  [
    'an item that only a failing form has seen',
    { oneOf: [{ items: { required: ['a'] } }, {}], unevaluatedItems: { type: 'string' } },
    [{}],
    "Field '0' expected string, got object",
  ],
  [
    'contains beside a tuple, in an empty list',
    { prefixItems: [{}], contains: {} },
    [],
    'Root object: needs at least 1 matching items, got 0',
  ],
  [
    'an item past what contains saw',
    { contains: { const: 1 }, unevaluatedItems: { type: 'null' } },
    [1, 2],
    "Field '1' expected null, got number",
  ],
  [
    'a key next to patterns',
    { patternProperties: { '^a': {} }, unevaluatedProperties: false },
    { ab: 1, b: 1 },
    "Field 'b' is not known",
  ],
  [
    'if and then',
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
    { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } },
    { a: 1 },
    "Field 'b' is required but missing",
  ],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] } },
    { a: 1 },
    "Field 'b' is required but missing (it goes with 'a')",
  ],
  [
    'propertyNames',
    { propertyNames: { pattern: '^[a-z]+$' } },
    { A1: 1 },
    "Field 'A1': its name must match pattern: ^[a-z]+$",
  ],
  ['contains', { contains: { const: 1 } }, [2], 'Root object: needs at least 1 matching items, got 0'],
  [
    'a pointer with escapes',
    { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'string' } } },
    1,
    'Root object expected string, got number',
  ],
  [
    'an anchor',
    { $ref: '#here', $defs: { x: { $anchor: 'here', type: 'string' } } },
    1,
    'Root object expected string, got number',
  ],
  [
    'an id',
    { $id: 'https://example.com/root', $ref: 'item', $defs: { x: { $id: 'item', type: 'string' } } },
    1,
    'Root object expected string, got number',
  ],
  [
    'words beside a $ref count',
    { $ref: '#/$defs/x', minLength: 2, $defs: { x: { type: 'string' } } },
    'a',
    'Root object must be at least 2 characters, got 1',
  ],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1, b: 2 },
    "Field 'b' is not known",
  ],
  [
    'F9 a required key named like an inherited one',
    { required: ['toString', 'constructor'] },
    {},
    "Field 'toString' is required but missing",
    "Field 'constructor' is required but missing",
  ],
  [
    'F9 a property named like an inherited one',
    { properties: { a: {} }, additionalProperties: false },
    { toString: 1 },
    "Field 'toString' is not known",
  ],
  [
    'F9 a property that is __proto__',
    JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    JSON.parse('{"__proto__":1}'),
    "Field '__proto__' expected string, got number",
  ],
];

const good: [what: string, schema: JsonSchema, value: unknown][] = [
  [
    'F9 declared properties are looked for among own ones',
    JSON.parse('{"properties":{"toString":{"type":"string"},"constructor":{"type":"string"}}}'),
    {},
  ],
  ['items that a passing form has seen', { oneOf: [{ items: {} }], unevaluatedItems: { type: 'string' } }, [0]],
  ['an item that contains has seen', { contains: { const: 1 }, unevaluatedItems: false }, [1, 1]],
  [
    'a key that a reference has seen',
    { $ref: '#/$defs/x', unevaluatedProperties: false, $defs: { x: { properties: { a: {} } } } },
    { a: 1 },
  ],
  [
    'a key that a condition has seen',
    { if: { properties: { a: {} }, required: ['a'] }, unevaluatedProperties: false },
    { a: 1 },
  ],
  ['contains beside a tuple', { prefixItems: [{ type: 'string' }], contains: { type: 'number' } }, ['a', 1]],
  ['0.3 is a multiple of 0.1', { multipleOf: 0.1 }, 0.3],
  ['1e20 is a multiple of 0.001', { multipleOf: 1e-3 }, 1e20],
  ['5.0 is an integer', { type: 'integer' }, 5],
  ['nullable without a type', { anyOf: [{ type: 'string' }], nullable: true }, null],
  ['an unknown format', { format: 'postcode' }, 'x'],
  ['a pattern RE2 can not run', { pattern: '^(?!a)' }, 'a'],
  ['F14 a remote reference', { $ref: 'https://example.com/schema' }, 1],
  ['F14 a reference to itself', { $ref: '#' }, 1],
  [
    'F14 a cycle of references',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    1,
  ],
  [
    'keywords written wrong',
    JSON.parse('{"required":true,"properties":5,"items":"x","minLength":"3","anyOf":{},"type":"any"}'),
    { a: 1 },
  ],
];

describe.each([{ compiled: true }, { compiled: false }])('a checker with $compiled code', (options) => {
  it.each(rows)('%s', (_what, schema, value, ...messages) => {
    const checker = checkerFor(schema, options);
    expect(checker.passes(value)).toBe(false);
    expect(checker.problems(value).map((problem) => problem.message)).toEqual(messages);
  });

  it.each(good)('takes: %s', (_what, schema, value) => {
    const checker = checkerFor(schema, options);
    expect(checker.problems(value)).toEqual([]);
    expect(checker.passes(value)).toBe(true);
  });

  it('tells several patterns of one schema apart', () => {
    const checker = checkerFor({ properties: { a: { pattern: '^x' }, b: { pattern: '^y' } } }, options);
    expect(checker.passes({ a: 'x', b: 'y' })).toBe(true);
    expect(checker.passes({ a: 'x', b: 'x' })).toBe(false);
  });

  it('F9 compares objects that hold keys like toString', () => {
    const schema: JsonSchema = { enum: [{ a: 1 }, { toString: [1], constructor: {} }], uniqueItems: true };
    const checker = checkerFor(schema, options);
    expect(checker.passes({ toString: 1 })).toBe(false);
    expect(checker.passes({ constructor: {}, toString: [1] })).toBe(true);
  });

  it('F8 a pattern made to backtrack is decided at once', () => {
    const checker = checkerFor({ pattern: '^(a+)+$', patternProperties: { '^(a+)+$': false } }, options);
    const took = cpuOf(() => {
      for (const length of [29, 50_000]) {
        expect(checker.passes(`${'a'.repeat(length)}!`)).toBe(false);
        expect(checker.passes('a'.repeat(length))).toBe(true);
        expect(checker.passes({ [`${'a'.repeat(length)}!`]: 1 })).toBe(true);
      }
    });
    expect(took).toBeLessThan(1000);
  });

  it('finds equal items in linear time, whatever they are', () => {
    const checker = checkerFor({ uniqueItems: true }, options);
    const list = Array.from({ length: 100_000 }, (_, index) => (index % 2 ? index : { index }));
    expect(cpuOf(() => expect(checker.passes(list)).toBe(true))).toBeLessThan(2000);
  });

  it('decides anew when a value has changed', () => {
    const checker = checkerFor({ type: 'object', required: ['a'] }, options);
    const value: Record<string, unknown> = {};
    expect(checker.passes(value)).toBe(false);
    value.a = 1;
    expect(checker.passes(value)).toBe(true);
  });

  it('gives what was expected and what was received, and leaves the value as it was', () => {
    const value = Object.freeze({ a: Object.freeze([5]) });
    const checker = checkerFor({ properties: { a: { items: { type: 'string', default: 'x' } } } }, options);
    expect(checker.problems(value)).toEqual([
      {
        path: ['a', 0],
        code: 'type',
        expected: 'string',
        received: 5,
        message: "Field 'a.0' expected string, got number",
      },
    ]);
  });
});
