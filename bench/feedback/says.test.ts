import { expect, it } from 'vitest';
import type { SchemaObject } from '../../src/schema/types.ts';
import { says, wrongOf } from './says.ts';
import { ajvFor } from './validators.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    edits: { type: 'array', items: { type: 'string' } },
  },
  required: ['path'],
  additionalProperties: false,
} satisfies SchemaObject;
const wrongIn = (input: unknown) => {
  const check = ajvFor(schema).compile(schema);
  check(input);
  return (check.errors ?? []).flatMap((error) => wrongOf(error, input) ?? []);
};

it('knows of each fault which field it is about', () => {
  expect(
    wrongIn({ limit: 'x', edits: ['a', 5], other: 1 })
      .map(({ field }) => field)
      .sort(),
  ).toEqual(['edits', 'limit', 'other', 'path']);
});

it('words must name every field, what is wanted and what came', () => {
  const wrong = wrongIn({ path: 'a', limit: 'x' });
  expect(says("Field 'limit' expected integer, got string", wrong)).toEqual({
    field: true,
    expected: true,
    received: true,
  });
  expect(says('limit is wrong', wrong)).toEqual({ field: true, expected: false, received: false });
  expect(says("Field 'limit' expected integer", [...wrong, ...wrongIn({})])).toMatchObject({
    field: false,
    expected: false,
  });
});

it('other words for an integer do, unless the value is a number already', () => {
  const expected = (words: string, limit: unknown) => says(words, wrongIn({ path: 'a', limit })).expected;
  expect(expected('limit: expected number, received string', 'x')).toBe(true);
  expect(expected('limit: expected int, received number', 5.3)).toBe(true);
  expect(expected('limit: invalid number', 5.3)).toBe(false);
});
