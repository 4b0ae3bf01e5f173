import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/sample.ts';
import { scanSpans } from './spans.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('scanJson', () => {
  it('finds every value of any JSON where it stands', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), (json, space) => {
        const root = JSON.parse(json);
        const text = JSON.stringify(root, null, space);
        let count = 0;
        const fault = scanSpans(text, (path, start, end) => {
          count++;
          const value = path.reduce((inner, step) => inner[step], root);
          expect(JSON.parse(text.slice(start, end))).toEqual(value);
        });
        expect(fault).toBeUndefined();
        expect(count).toBeGreaterThan(0);
      }),
    );
  });

  it('agrees with JSON.parse on what is sound, whatever is done to it', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', ']', '\\', '0', '\n', 'x', ':'),
        (json, at, put) => {
          const place = at % (json.length + 1);
          const text = json.slice(0, place) + put + json.slice(place + 1);
          expect(scanSpans(text) === undefined).toBe(parses(text));
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('F6 a million levels cost no stack', () => {
    expect(scanSpans('['.repeat(1_000_000) + ']'.repeat(1_000_000))).toBeUndefined();
    expect(scanSpans('['.repeat(1_000_000))).toBe(1_000_000);
  });

  it.each([
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{"a":tru}', 5],
    ['"a', 2],
    ['', 0],
    ['1 x', 2],
  ])('the fault in %s is at %i', (text, offset) => {
    expect(scanSpans(text)).toBe(offset);
  });
});
