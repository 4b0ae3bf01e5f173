import { expect, it, describe as suite } from 'vitest';
import { fieldName } from '../../json/value.ts';
import { describe, type Fault } from './messages.ts';

const at = (fault: Omit<Fault, 'path'>): string => describe({ path: ['x'], ...fault } as Fault).message;

/** The table of `rules.md`, to the letter. */
const rows: [fault: Omit<Fault, 'path'>, message: string][] = [
  [{ code: 'required', want: {}, received: undefined }, "Field 'x' is required but missing"],
  [{ code: 'type', want: ['number'], received: 'a' }, "Field 'x' expected number, got string"],
  [
    { code: 'type', want: ['string', 'number', 'null'], received: [] },
    "Field 'x' expected string, number or null, got array",
  ],
  [{ code: 'enum', want: ['a', 'b'], received: 'c' }, `Field 'x' must be one of: a, b; got "c"`],
  [{ code: 'const', want: ['a, b'], received: 'c' }, `Field 'x' must be one of: "a, b"; got "c"`],
  [{ code: 'minimum', want: 1, received: 0 }, "Field 'x' must be at least 1, got 0"],
  [{ code: 'maximum', want: 1, received: 2 }, "Field 'x' must be at most 1, got 2"],
  [{ code: 'minLength', want: 3, received: '😀' }, "Field 'x' must be at least 3 characters, got 1"],
  [{ code: 'maxLength', want: 1, received: 'ab' }, "Field 'x' must be at most 1 characters, got 2"],
  [{ code: 'minItems', want: 1, received: [] }, "Field 'x' must have at least 1 items, got 0"],
  [
    { code: 'uniqueItems', want: [0, 2], received: [1, 2, 1] },
    "Field 'x' must have unique items; items 0 and 2 are equal",
  ],
  [{ code: 'pattern', want: '^a+$', received: 'b' }, "Field 'x' must match pattern: ^a+$"],
  [{ code: 'format', want: 'email', received: 'b' }, "Field 'x' must be a valid email"],
  [{ code: 'multipleOf', want: 5, received: 7 }, "Field 'x' must be a multiple of 5, got 7"],
  [{ code: 'unknown', want: 'y', received: 1 }, "Field 'x' is not known; did you mean 'y'?"],
  [{ code: 'unknown', want: undefined, received: 1 }, "Field 'x' is not known"],
  [{ code: 'other', want: 'is odd', received: 1 }, "Field 'x': is odd"],
];

suite('describe', () => {
  it.each(rows)('S0.4 %j', (fault, message) => expect(at(fault)).toBe(message));

  it('S0.4 names paths and the root as the model knows them', () => {
    expect(fieldName(['config', 'timeout'])).toBe("Field 'config.timeout'");
    expect(fieldName(['edits', 0, 'path'])).toBe("Field 'edits.0.path'");
    expect(fieldName([])).toBe('Root object');
  });

  it('gives each form of a union its full path', () => {
    const forms: Fault[] = [
      { path: ['a'], code: 'required', want: {}, received: undefined },
      { path: [], code: 'type', want: ['string'], received: {} },
    ];
    expect(describe({ path: ['x'], code: 'union', want: { forms }, received: {} }, ['list', 0]).message).toBe(
      "Field 'list.0.x' fits none of its allowed forms: Field 'list.0.x.a' is required but missing; or expected string, got object",
    );
  });

  it('keeps long values, long lists and values without JSON short', () => {
    expect(at({ code: 'enum', want: ['a'], received: 'x'.repeat(10_000) }).length).toBeLessThan(200);
    expect(at({ code: 'enum', want: Array.from({ length: 500 }, (_, index) => `v${index}`), received: 1 })).toContain(
      'and 400 more',
    );
    expect(at({ code: 'minimum', want: 1, received: 0n })).toBe("Field 'x' must be at least 1, got 0");
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(at({ code: 'const', want: ['a'], received: cycle })).toBe("Field 'x' must be one of: a; got array");
  });
});
