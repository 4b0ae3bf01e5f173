import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from './limits.ts';
import { looksStrict, screen } from './read-json.ts';

const passes = (text: string, limits = {}): boolean =>
  screen(text, JSON.parse(text), { ...defaultLimits, ...limits }) &&
  // Both ways to count keys must come to the same.
  screen(text, JSON.parse(text), { ...defaultLimits, ...limits }, looksStrict(text));

describe('screen', () => {
  it.each([
    '{}',
    '{"a": 1, "b": {"a": 1}}',
    '{"a": ": \\": : ", "b": "\\\\"}',
    '{"a" : "b\\":"}',
    '["a:", ":", "\\":"]',
    '{"a": 9007199254740991, "b": -9007199254740991, "c": 1.5, "d": 1e-7}',
    '{"constructor": 1, "toString": 2}',
    '"text"',
    'null',
  ])('F11 lets pass what hides nothing: %s', (text) => expect(passes(text)).toBe(true));

  it.each([
    ['F11 a repeated key', '{"a": 1, "a": 1}'],
    ['F11 a repeated key, once escaped', '{"a": 1, "\\u0061": 2}'],
    ['F11 a repeated key behind text with colons', '{"x": "\\": ", "a": 1, "a": 1}'],
    ['F11 a repeated key in a list', '[{"a": 1}, {"b": 1, "b": 2}]'],
    ['F10 an integer past 2^53', '{"a": 9007199254740992}'],
    ['F10 one below', '[-9007199254740992]'],
    ['F10 one past every number', '{"a": 1e999}'],
    ['F9 __proto__', '{"__proto__": 1}'],
    ['F9 __proto__ further in', '[[{"a": {"__proto__": {}}}]]'],
  ])('stops at %s', (_, text) => expect(passes(text)).toBe(false));

  it('F6 F13 stops at depth and key count', () => {
    expect(passes('[[[1]]]', { depth: 3 })).toBe(true);
    expect(passes('[[[1]]]', { depth: 2 })).toBe(false);
    expect(passes('[{"a": 1}, {"b": 1}]', { keys: 2 })).toBe(true);
    expect(passes('[{"a": 1}, {"b": 1}]', { keys: 1 })).toBe(false);
  });

  it('F11 finds every key given twice, whatever stands around it', () => {
    const key = fc.string({ unit: fc.constantFrom('a', ':', '"', '\\', ' ', '{', ',') });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.oneof(key, fc.integer()))), (entries) => {
        const text = `{${entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`;
        expect(passes(text)).toBe(new Set(entries.map(([name]) => name)).size === entries.length);
      }),
    );
  });
});
