import { describe, expect, it } from 'vitest';
import { readJson } from '../read-json.ts';

const codes = (text: string): readonly string[] => readJson(text).problems.map(({ code }) => code);

describe('one wrong sign that may stand for two missing ones', () => {
  it.each([
    ['a point for a comma', '{"id": 7. "tags": ["a"]}'],
    ['a point for a comma at the end of a line', '{"id": 7.\n"tags": ["a"]}'],
    ['a point for a comma before a key without quotes', '{"id": 7. tags: ["a"]}'],
    ['a bracket for a colon', '{"value"[ "x"}'],
    ['a bracket for a colon of a list', '{"value"["x", "y"}'],
    ['a bracket for a colon after a field', '{"a": 1, "value"["x"}'],
    ['a digit for a bracket', '{"l": ["a"\n0}'],
    ['a digit for a bracket after numbers', '{"l": [1\n0}'],
    ['a digit for a bracket before a field', '{"l": ["a"\n0, "k": 1}'],
  ])('%s: %s', (_, text) => {
    expect(codes(text)).toContain('ambiguous');
  });

  it.each([
    ['{"id": 7., "tags": ["a"]}', { id: 7, tags: ['a'] }],
    ['{"tags": ["a"], "id": 7.}', { id: 7, tags: ['a'] }],
    ['{"id": 7 "tags": ["a"]}', { id: 7, tags: ['a'] }],
    ['{"id": 7.5 "tags": ["a"]}', { id: 7.5, tags: ['a'] }],
    ['{"value"[ "x"]}', { value: ['x'] }],
    ['{"value" "x"}', { value: 'x' }],
    ['{"value": [ "x"}', { value: ['x'] }],
    ['{"value"{"x": 1}}', { value: { x: 1 } }],
    ['{"l": ["a"\n0]}', { l: ['a', 0] }],
    ['{"l": ["a", 0}', { l: ['a', 0] }],
    ['{"l": ["a"\n"b"}', { l: ['a', 'b'] }],
    ['{"l": [{"a": 1}\n{"b": 2}}', { l: [{ a: 1 }, { b: 2 }] }],
  ])('guard: reads one fault, and two that are no single sign: %s', (text, value) => {
    expect([codes(text), readJson(text).value]).toEqual([[], value]);
  });
});
