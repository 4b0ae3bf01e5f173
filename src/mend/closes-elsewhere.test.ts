import { describe, expect, it } from 'vitest';
import { readTolerant } from '../json/read-json.ts';
import { closesElsewhere } from './check-arguments.ts';

/** A text without one of its brackets, and the value that the bracket at another place gives. */
const rows = [
  ['{"a": [["b", ["c"]]}', { a: [['b'], ['c']] }],
  ['{"a": [["all", ["b", 1], ["c"]]}', { a: [['all', ['b', 1]], ['c']] }],
] as const;

describe('a missing bracket', () => {
  it.each(rows)('may belong elsewhere in %s', (text, other) => {
    const { value } = readTolerant(text);
    const offered: unknown[] = [];
    expect(closesElsewhere(value, (one) => offered.push(one) < 0)).toBe(false);
    expect(offered).toContainEqual(other);
    expect(closesElsewhere(value, () => true)).toBe(true);
  });

  it.each(['{"a": {"b": 1}', '{"a": {"b": {"c": "d"}', '{"a": [1, 2], "b": {"c": 3}'])(
    'is the last one in %s',
    (text) => expect(closesElsewhere(readTolerant(text).value, () => true)).toBe(false),
  );

  it('of a complete value is none', () => {
    expect(closesElsewhere(readTolerant('{"a": [["b"], ["c"]],}').value, () => true)).toBe(false);
  });
});
