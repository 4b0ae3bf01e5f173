import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../test/sample.ts';
import { looksStrict } from './read-json.ts';

const keysIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, held) => sum + keysIn(held),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

it('counts the keys of whatever JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      expect(looksStrict(JSON.stringify(value, null, indent))).toBe(keysIn(value));
    }),
    { numRuns: runs(500) },
  );
});

it.each([
  '',
  '{',
  '{"a": 1,}',
  '{"a" "b"}',
  "{'a': 1}",
  '{a: 1}',
  '{"a": True}',
  '{"a": 5.}',
  '{"a": "x\ny"}',
  '{"a": "\\d"}',
  '{"a": "x',
  '{"a": 1}}',
  '[1 2]',
  '{"a": 1} {"a": 1}',
  '```json\n{}\n```',
])('detects that %j is not JSON without throwing', (text) => {
  expect(looksStrict(text)).toBe(-1);
  expect(() => JSON.parse(text)).toThrow();
});
