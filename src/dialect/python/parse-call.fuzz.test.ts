import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../test/cpu-of.ts';
import { runs, sampleOf } from '../../../test/sample.ts';
import type { JsonValue } from '../../json/value.ts';
import { readPythonCalls } from './parse-call.ts';

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '\n', ',', ')', '(', '=', '_') }),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number))
    .map((number) => (Object.is(number, -0) ? 0 : number)),
);
const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf as fc.Arbitrary<JsonValue>,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** As Python prints it, in either quote. */
const quoted = (text: string, quote: string): string =>
  `${quote}${text.replace(/[\\'"]/g, (char) => (char === quote || char === '\\' ? `\\${char}` : char)).replaceAll('\n', '\\n')}${quote}`;

function python(value: JsonValue, quote: string): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value, quote);
  if (Array.isArray(value)) return `[${value.map((one) => python(one, quote)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${quoted(name, quote)}: ${python(one, quote)}`)
    .join(', ')}}`;
}

describe('valid Python', () => {
  it('returns the value it was written from', () => {
    fc.assert(
      fc.property(json, fc.constantFrom("'", '"'), (value, quote) => {
        const { calls, rest } = readPythonCalls(`[f(a=${python(value, quote)}), g()]`);
        expect(calls.map(({ name, whole }) => [name, whole])).toEqual([
          ['f', true],
          ['g', true],
        ]);
        expect(calls[0]?.named.a).toEqual(value);
        expect(rest).toBe('');
      }),
      { numRuns: runs(2000) },
    );
  });
});

const scraps = [
  'f(',
  'g',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  "'",
  '"',
  '"""',
  ',',
  ':',
  '=',
  '==',
  '*',
  '**',
  '-',
  '1',
  '0x',
  '.5',
  'a',
  ' ',
  '\n',
  '\\',
  '\\_',
  '#',
  '//',
  'lambda x',
  ' for ',
  'r"',
  'None',
  'é',
  '\ud83d',
];

describe('any text', () => {
  it('never throws, and returns calls in order and inside the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...scraps), maxLength: 200 }), (text) => {
        const { calls, end, rest } = readPythonCalls(text);
        let last = 0;
        for (const call of calls) {
          expect(call.start).toBeGreaterThanOrEqual(last);
          expect(call.end).toBeGreaterThan(call.start);
          last = call.end;
        }
        expect(end).toBeGreaterThanOrEqual(last);
        expect(text.slice(end)).toBe(rest);
        expect(() => JSON.stringify(calls)).not.toThrow();
      }),
      { numRuns: runs(3000) },
    );
  });

  const repeated = [
    '(',
    '[{',
    "f('",
    "'",
    '"',
    'f(g(',
    'a b ',
    '1+',
    'f(a=1,',
    ']',
    '[x for ',
    "{'a':",
    '-',
    '\\',
    '"""',
    ' \n',
    'lambda ',
    '0',
  ];
  it.each(sampleOf(repeated, 3))('takes time proportional to the length: %s', (scrap) => {
    const [small, large] = [65_536, 1_048_576].map((length) => `f(${scrap.repeat(length / scrap.length)}`);
    // 16 times the text; the rest is room for a busy machine and its garbage collector.
    const { ratio } = growthOf(
      () => readPythonCalls(small as string),
      () => readPythonCalls(large as string),
      { bar: 100, floor: 4 },
    );
    expect(ratio).toBeLessThan(100);
  });
});
