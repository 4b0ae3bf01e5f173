import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../test/cpu-of.ts';
import { harmless, harmlessJson } from './visible.ts';

describe('harmless', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2J', 'a\\u001b[2J'],
    ['a window title', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['C1 controls', '\u009b31m \u009d0;x\u009c', '\\u009b31m \\u009d0;x\\u009c'],
    ['a carriage return', 'safe\revil', 'safe\\revil'],
    ['backspace and delete', 'a\b\u007f', 'a\\u0008\\u007f'],
    ['bidirectional controls', '\u202e\u2066\u200f\u061c', '\\u202e\\u2066\\u200f\\u061c'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeff', 'a\\u200bb\\u2060c\\ufeff'],
    ['joiners between Latin letters', 'a\u200cb\u200dc', 'a\\u200cb\\u200dc'],
    ['tag characters', '\u{e0041}', '\\udb40\\udc41'],
    ['variation selectors without an emoji', 'a\ufe0fb\u{e0100}', 'a\\ufe0fb\\udb40\\udd00'],
    ['line separators', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['a soft hyphen', 'pass\u00adword', 'pass\\u00adword'],
    ['a lone surrogate', '\ud83d', '\\ud83d'],
    ['Hangul fillers', '\u3164', '\\u3164'],
  ])('escapes %s', (_, text, shown) => expect(harmless(text)).toBe(shown));

  it.each([
    'line\nbreaks',
    'caf\u00e9, na\u00efve, \u201cquotes\u201d \u2014 \u20ac 5\u00a0000',
    '\u{1f44d}\u{1f3fd} \u2764\ufe0f \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f3}\ufe0f\u200d\u{1f308} 1\ufe0f\u20e3',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u65e5\u672c\u8a9e \u043f\u0440\u0438\u0432\u0435\u0442 \u05e9\u05dc\u05d5\u05dd',
    '\u2800\u28ff \ue0b0',
  ])('guard: leaves text as it is: %j', (text) => expect(harmless(text)).toBe(text));

  it('keeps JSON valid, and its value', () => {
    const strings = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(strings, strings, (one, other) => {
        expect(JSON.parse(harmlessJson({ one, other }))).toEqual({ one, other });
      }),
    );
  });

  it('takes linear time', () => {
    for (const piece of ['\u200d', '\u{1f468}\u200d', 'a\u0301', '\u001b[', '\u0645\u200c'])
      expect(
        growthOf(
          () => harmless(piece.repeat(20_000)),
          () => harmless(piece.repeat(80_000)),
          { bar: 8 },
        ).ratio,
      ).toBeLessThan(8);
  });
});
