import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../types.ts';
import { Interpreter } from './interpreter.ts';

const rows: [what: string, forms: JsonSchema[], value: unknown, ...messages: string[]][] = [
  [
    'fixed values and null are one choice',
    [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    5,
    'Root object must be one of: "a", "b", null; got 5',
  ],
  [
    'fixed values beside another type',
    [{ enum: ['a'] }, { type: 'object' }],
    5,
    'Root object expected string or object, got number',
  ],
  [
    'a wrong word beside another type',
    [{ enum: ['a'] }, { type: 'object' }],
    'b',
    'Root object must be one of: a; got "b"',
  ],
  [
    "the one form of the value's type",
    [{ type: 'string', minLength: 2 }, { type: 'number' }],
    'a',
    'Root object must be at least 2 characters, got 1',
  ],
  [
    'what every form wants of a field is joined',
    [
      { type: 'object', properties: { v: { type: 'number' } } },
      { type: 'object', properties: { v: { type: 'string' } } },
    ],
    { v: true },
    "Field 'v' expected number or string, got boolean",
  ],
  [
    'a tag that is missing',
    [
      { properties: { k: { const: 'a' } }, required: ['k', 'x'] },
      { properties: { k: { const: 'b' } }, required: ['k', 'y'] },
    ],
    {},
    "Field 'k' is required but missing",
  ],
  [
    'a list in a union',
    [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    ['a', 5],
    "Field '1' expected string, got number",
  ],
];

describe('union', () => {
  it.each(rows)('%s', (_what, forms, value, ...messages) => {
    for (const word of ['anyOf', 'oneOf']) {
      const problems = new Interpreter({ [word]: forms }).problems(value);
      expect(problems.map((problem) => problem.message)).toEqual(messages);
    }
  });

  it('names each form once and stays short however unions nest', () => {
    let schema: JsonSchema = {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    };
    let value: unknown = {};
    for (let level = 0; level < 30; level++) {
      const form = (extra: string): JsonSchema => ({ type: 'object', properties: { next: schema }, required: [extra] });
      schema = { anyOf: [form('x'), form('y')] };
      value = { next: value };
    }
    const [problem] = new Interpreter(schema).problems(value);
    expect(problem?.message.length).toBeLessThan(1000);
  });
});
