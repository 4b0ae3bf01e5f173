import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fits, safeNames, toolRules } from './safe-names.ts';

describe('safeNames', () => {
  it('keeps what can be kept of a name', () => {
    const { safe, original } = safeNames(['files.read', 'a b', 'fine-name_1'], toolRules.openai);
    expect(['files.read', 'a b', 'fine-name_1', 'other'].map(safe)).toEqual([
      'files_read',
      'a_b',
      'fine-name_1',
      'other',
    ]);
    expect(['files_read', 'a_b', 'fine-name_1', 'other'].map(original)).toEqual([
      'files.read',
      'a b',
      'fine-name_1',
      'other',
    ]);
  });

  it('never takes a name that another tool has', () => {
    const { safe, original } = safeNames(['a.b', 'a_b', 'a b'], toolRules.openai);
    expect(safe('a_b')).toBe('a_b');
    expect(new Set(['a.b', 'a_b', 'a b'].map(safe)).size).toBe(3);
    expect(original('a_b')).toBe('a_b');
  });

  it('names of 64 characters stay, longer ones are cut and marked', () => {
    const [fitting, long, like] = ['x'.repeat(64), `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`] as const;
    const { safe } = safeNames([fitting, long, like], toolRules.openai);
    expect(safe(fitting)).toBe(fitting);
    expect(safe(long)).toMatch(/^x{55}_[\da-f]{8}$/);
    expect(safe(long)).not.toBe(safe(like));
  });

  it('gives a name in another script letters to be called by', () => {
    expect(safeNames(['天气'], toolRules.openai).safe('天气')).toMatch(/^name_[\da-f]{8}$/);
    expect(safeNames(['⚙'], toolRules.gemini).safe('⚙')).toMatch(/^name_[\da-f]{8}$/);
    expect(safeNames(['1st'], toolRules.gemini).safe('1st')).toBe('_1st');
  });

  it('fits every rule, tells all names apart, leads back, and does not mind the order', () => {
    const names = fc.uniqueArray(fc.oneof(fc.string({ maxLength: 200 }), fc.stringMatching(/^[a-c._ -]{1,4}$/)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(names, fc.constantFrom(...Object.values(toolRules)), (given, rule) => {
        const { safe, original } = safeNames(given, rule);
        for (const name of given) {
          expect(fits(safe(name), rule)).toBe(true);
          expect(original(safe(name))).toBe(name);
          if (fits(name, rule)) expect(safe(name)).toBe(name);
        }
        expect(new Set(given.map(safe)).size).toBe(given.length);
        const turned = safeNames([...given].reverse(), rule);
        expect(given.map(turned.safe)).toEqual(given.map(safe));
      }),
    );
  });
});
