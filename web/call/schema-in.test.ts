import { expect, it } from 'vitest';
import { missingTypes } from './schema-in.ts';

const schema = {
  type: 'object',
  properties: {
    any: { description: 'anything' },
    open: true,
    text: { type: 'string' },
    either: { anyOf: [{ type: 'string' }, { type: 'array' }] },
    rows: { type: 'array', items: { type: 'object', properties: { cell: {} } } },
  },
};
const paths = (input: unknown, given: unknown = schema) => missingTypes(input, given).map(({ path }) => path.join('.'));

it('reports JSON text in fields without a type, with the type that is missing', () => {
  expect(missingTypes({ any: '["a", "b"]', open: ' {"a": 1}' }, schema)).toMatchObject([
    { path: ['any'], received: '["a", "b"]', suggestion: '"type": "array"' },
    { path: ['open'], suggestion: '"type": "object"' },
  ]);
  expect(paths({ rows: [{ cell: 'x' }, { cell: '[1]' }] })).toEqual(['rows.1.cell']);
});

it.each<[what: string, input: unknown, given?: unknown]>([
  ['fields with a type', { text: '["a"]', either: '["a"]' }],
  ['other text', { any: 'a, b', open: '[see below]' }],
  ['text that is truncated', { any: '["a", ' }],
  ['values that arrived as such', { any: ['a'], open: { a: 1 } }],
  ['fields that no property declares', { other: '["a"]' }],
  ['calls whose arguments are no object', '["a"]', {}],
  ['calls without a schema', { any: '["a"]' }, null],
  ['schemas that are none', { any: '["a"]' }, { properties: { any: null } }],
])('reports nothing for %s', (_what, input, given = schema) => {
  expect(paths(input, given)).toEqual([]);
});

it('stays small for input that is deep or long', () => {
  const loop: { type: string; items?: unknown } = { type: 'array' };
  loop.items = loop;
  let deep: unknown = '[]';
  for (let depth = 0; depth < 5000; depth++) deep = [deep];
  expect(paths(deep, loop)).toEqual([]);
  expect(paths(Array(1000).fill('[]'), { type: 'array', items: {} })).toHaveLength(50);
});
