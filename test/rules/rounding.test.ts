/** Nothing is rounded: text is a number only if the number prints as that decimal, and an integer only within 2^53. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { feedback } from '../../src/mend/feedback/feedback.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { boolean, integer, mendWith, open, string } from './mend-with.ts';

const number: JsonSchema = { type: 'number' };
const schemas = {
  integer,
  number,
  nullable: { anyOf: [integer, { type: 'null' }] },
  both: { type: ['integer', 'boolean'] },
  one: { enum: [1, 5, 50] },
  five: { const: 5 },
  multiple: { type: 'number', multipleOf: 5 },
  small: { type: 'integer', minimum: 0, maximum: 9 },
} satisfies Record<string, JsonSchema>;
type Name = keyof typeof schemas;

const asText = (name: Name, text: string) => mendWith(open({ n: schemas[name] }), { n: text });
const places: readonly [string, (name: Name, text: string) => unknown][] = [
  ['a field', (name, text) => asText(name, text)],
  ['a list', (name, text) => mendWith(open({ n: { type: 'array', items: schemas[name] } }), { n: [text] })],
  [
    'a list in text',
    (name, text) => mendWith(open({ n: { type: 'array', items: schemas[name] } }), { n: `["${text}"]` }),
  ],
  ['one value for a list', (name, text) => mendWith(open({ n: { type: 'array', items: schemas[name] } }), { n: text })],
  [
    'an XML list',
    (name, text) => mendWith(open({ n: { type: 'array', items: schemas[name] } }), { n: `<i>${text}</i>` }),
  ],
  ['a line', (name, text) => mendWith(open({ n: schemas[name] }), `n: ${text}`)],
  ['an object in text', (name, text) => mendWith(open({ o: open({ n: schemas[name] }) }), { o: `{"n": "${text}"}` })],
  ['a damaged object', (name, text) => mendWith(open({ n: schemas[name] }), `{n: '${text}',}`)],
];

const rounded: readonly (readonly [Name, string])[] = [
  ...['4.99999999999999999', '0.999999999999999999', '1.000000000000000001', '1e-400'].flatMap((text) =>
    (['integer', 'nullable', 'both', 'small'] as const).map((name) => [name, text] as const),
  ),
  ['integer', '-4.99999999999999999'],
  ['nullable', '-4.99999999999999999'],
  ['both', '-4.99999999999999999'],
  ['integer', '12345678901234567e3'],
  ['integer', '1e23'],
  ['integer', '1e16'],
  ['integer', '4503599627370497.1'],
  ['integer', '9007199254740990.9'],
  ['number', '1.000000000000000001'],
  ['number', '52.520006599999998123'],
  ['number', '0.10000000000000001'],
  ['number', '0.3000000000000000444'],
  ['number', '1e-400'],
  ['number', '-1e-400'],
  ['number', '4.9e-324'],
  ['number', '12345678901234567.89'],
  ['number', `0.${'0'.repeat(400)}1`],
  ['multiple', '4.99999999999999999'],
  ['multiple', '10.0000000000000000001'],
];

/** Refused before too: past 2^53 or a limit, and never equal to a fixed number. */
const refusedBefore: readonly (readonly [Name, string])[] = [
  ['small', '-4.99999999999999999'],
  ['integer', '9007199254740992'],
  ['integer', '-9007199254740993'],
  ['number', '1e400'],
  ['number', '9007199254740993'],
  ['number', `1${'0'.repeat(30)}1`],
  ['one', '4.99999999999999999'],
  ['five', '4.99999999999999999'],
  ['five', '5.0000000000000000001'],
];

describe.each(places)('text that would be rounded, in %s', (_, mended) => {
  const expectRefused = (name: Name, text: string) => {
    expect(mended(name, text)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  };
  it.each(rounded)('%s %s', expectRefused);
  it.each(refusedBefore)('guard: %s %s', expectRefused);
});

describe('guard: text that is exactly the number', () => {
  it.each([
    ['integer', '5', 5],
    ['integer', ' 5 ', 5],
    ['integer', '5.0', 5],
    ['integer', '5.', 5],
    ['integer', '1e3', 1000],
    ['integer', '10e-1', 1],
    ['integer', '.5e1', 5],
    ['integer', '007', 7],
    ['integer', '+5', 5],
    ['integer', '-5.00', -5],
    ['integer', '1,234', 1234],
    ['integer', '0e999', 0],
    ['integer', '9007199254740991', 9007199254740991],
    ['integer', '9007199254740991.0', 9007199254740991],
    ['integer', '9,007,199,254,740,991', 9007199254740991],
    ['number', '0.1', 0.1],
    ['number', '1.10', 1.1],
    ['number', '0.30000000000000004', 0.30000000000000004],
    ['number', '5e-324', 5e-324],
    ['number', '1E+3', 1000],
    ['number', '1e23', 1e23],
    ['number', '6.02e23', 6.02e23],
    ['number', '12345678901234567e3', 12345678901234567e3],
    ['number', '0.0000001', 1e-7],
    ['number', '52.52000659', 52.52000659],
    ['number', '-0.50', -0.5],
    ['multiple', '10.0', 10],
    ['nullable', '5.0', 5],
  ] as const)('%s %s', (name, text, value) => {
    expect(asText(name, text)).toMatchObject({ status: 'mended', input: { n: value } });
  });
});

describe('the reason is the true one', () => {
  it.each([
    ['integer', '4.99999999999999999', "Field 'n' expected integer, got string"],
    ['integer', '1e23', "Field 'n' is an integer too large to represent exactly (1e23)"],
    [
      'integer',
      '9,007,199,254,740,993',
      "Field 'n' is an integer too large to represent exactly (9,007,199,254,740,993)",
    ],
    [
      'number',
      '52.520006599999998123',
      "Field 'n' is a number that cannot be represented exactly (52.520006599999998123); write it with at most 15 digits",
    ],
    ['number', '1e-400', "Field 'n' is a number that cannot be represented exactly (1e-400)"],
  ] as const)('%s %s', (name, text, message) => {
    const outcome = asText(name, text);
    expect(outcome.problems.map((problem) => problem.message)).toEqual([message]);
    // The advice names no number that was rounded.
    if (outcome.status === 'invalid')
      expect(feedback(outcome).text).not.toMatch(/\b(?:5|1e\+23|52\.52000659999999[0-8])\b/);
  });
});

describe('a number literal that is rounded to an integer is none', () => {
  const literals = [
    '4.99999999999999999',
    '1.0000000000000000001',
    '1e-400',
    '-0.99999999999999999999',
    '4503599627370497.1',
  ];
  it.each(literals)('%s', (literal) => {
    for (const args of [
      `{"n": ${literal}}`,
      `{n: ${literal},}`,
      `{"s": "9.9", "n": ${literal}}`,
      `{"l": "[${literal}]"}`,
    ]) {
      const schema = open({ n: integer, s: string, l: { type: 'array', items: integer } });
      expect(mendWith(schema, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
    }
    expect(mendWith(open({ n: boolean }), `{"n": ${literal}}`).status).toBe('invalid');
    // JSON.parse reads it so, and the digits are written back as they were.
    expect(mendWith(open({ n: number }), `{"n": ${literal}}`)).toMatchObject({
      status: 'ok',
      input: { n: Number(literal) },
    });
    expect(mendWith(open({ n: string }), `{"n": ${literal}}`).input).toEqual({ n: literal });
  });

  it.each([
    ['{"n": 5.0}', 5],
    ['{"n": 1.50e1}', 15],
    ['{"n": 50e-1}', 5],
    ['{"n": 5.00000000000000000000}', 5],
    ['{"n": 0e-400}', 0],
    ['{"s": "4.99999999999999999", "n": 5}', 5],
    ['{"s": "\\"4.99999999999999999", "n": 5}', 5],
    ['{"x": 4.99999999999999999, "n": 5}', 5],
  ])('guard: %s', (args, value) => {
    expect(mendWith(open({ n: integer, s: string, x: number }), args)).toMatchObject({
      status: 'ok',
      input: { n: value },
    });
  });
});

describe('values of dialects', () => {
  const inputSchema = open({ n: integer, x: number, l: { type: 'array', items: integer } });
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', effect: 'read', inputSchema })]);
  const statuses = (dialect: string, text: string) =>
    readCalls(text, toolbox, { dialect }).calls.map(({ status, input }) => (status === 'invalid' ? status : input));
  const tagged = (key: string, text: string) =>
    `<tool_call>\n<function=act>\n<parameter=${key}>\n${text}\n</parameter>\n</function>\n</tool_call>`;

  const expectInvalid = (key: string, text: string) => {
    expect(statuses('qwen3-coder', tagged(key, text))).toEqual(['invalid']);
    expect(statuses('pythonic', `[act(${key}=${text})]`)).toEqual(['invalid']);
  };
  it.each([
    ['n', '4.99999999999999999'],
    ['n', '-4.99999999999999999'],
    ['n', '1e-400'],
  ])('%s %s', expectInvalid);
  it.each([['n', '9007199254740993']])('guard: %s %s', expectInvalid);
  it.each(['[4.99999999999999999]', '[1, -0.99999999999999999999]', '[1e-400]'])('a list: %s', (text) => {
    expect(statuses('qwen3-coder', tagged('l', text))).toEqual(['invalid']);
    expect(statuses('pythonic', `[act(l=${text})]`)).toEqual(['invalid']);
  });
  it.each(['1.000000000000000001', '52.520006599999998123', '1e-400'])('tagged x %s', (text) => {
    expect(statuses('qwen3-coder', tagged('x', text))).toEqual(['invalid']);
  });
  const expectInvalidSum = (text: string) => {
    expect(statuses('pythonic', `[act(n=${text})]`)).toEqual(['invalid']);
  };
  it.each(['2**60 - 2**60 + 1'])('arithmetic past 2^53: %s', expectInvalidSum);
  it.each(['9007199254740991 + 2', '2**53 + 1', '3 * 9007199254740991', '-(2**53) - 1'])(
    'guard: arithmetic past 2^53: %s',
    expectInvalidSum,
  );
  it.each([
    ['n=24*60', { n: 1440 }],
    ['n=1.5*2', { n: 3 }],
    ['n=2**53-1-1', 'invalid'],
    ['n=2**52', { n: 4503599627370496 }],
    ['n=5.0', { n: 5 }],
    ['n=-5', { n: -5 }],
    ['x=6.02e23*2', { x: 1.204e24 }],
    ['x=0.5', { x: 0.5 }],
  ])('guard: %s', (text, input) => {
    expect(statuses('pythonic', `[act(${text})]`)).toEqual([input]);
  });
});
