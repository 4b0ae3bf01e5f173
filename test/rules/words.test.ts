import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feedback, invalidPayload } from '../../src/mend/feedback/feedback.ts';
import { type BadOutcome, isRetryable, type Outcome } from '../../src/mend/outcome.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { integer, mendWith, open, string, strings } from './mend-with.ts';

const bad = (outcome: Outcome): BadOutcome => {
  if (outcome.status !== 'invalid') throw new Error(`expected a refusal, got ${JSON.stringify(outcome.input)}`);
  return outcome;
};
const firstWords = (schema: unknown, value: unknown): string | undefined =>
  bad(mendWith(schema, value)).problems[0]?.message;

type Row = readonly [code: string, json: JsonSchema, zod: z.ZodType | undefined, value: unknown, text: string];
const rows: readonly Row[] = [
  ['type', { type: 'number' }, z.number(), 'many', "Field 'x' expected number, got string"],
  ['type', { type: 'number' }, z.number(), null, "Field 'x' expected number, got null"],
  ['enum', { enum: ['a', 'b'] }, z.enum(['a', 'b']), 'c', `Field 'x' must be one of: a, b; got "c"`],
  ['const', { const: 'a' }, z.literal('a'), 'c', `Field 'x' must be one of: a; got "c"`],
  ['minimum', { type: 'number', minimum: 1 }, z.number().min(1), 0, "Field 'x' must be at least 1, got 0"],
  ['maximum', { type: 'number', maximum: 1 }, z.number().max(1), 2, "Field 'x' must be at most 1, got 2"],
  [
    'minLength',
    { type: 'string', minLength: 3 },
    z.string().min(3),
    'a',
    "Field 'x' must be at least 3 characters, got 1",
  ],
  [
    'maxLength',
    { type: 'string', maxLength: 1 },
    z.string().max(1),
    'ab',
    "Field 'x' must be at most 1 characters, got 2",
  ],
  [
    'minItems',
    { type: 'array', minItems: 1 },
    z.array(z.string()).min(1),
    [],
    "Field 'x' must have at least 1 items, got 0",
  ],
  [
    'maxItems',
    { ...(strings as object), maxItems: 1 },
    z.array(z.string()).max(1),
    ['a', 'b'],
    "Field 'x' must have at most 1 items, got 2",
  ],
  [
    'uniqueItems',
    { type: 'array', uniqueItems: true },
    undefined,
    [1, 2, 1],
    "Field 'x' must have unique items; items 0 and 2 are equal",
  ],
  ['pattern', { type: 'string', pattern: '^a+$' }, z.string().regex(/^a+$/), 'b', "Field 'x' must match pattern: ^a+$"],
  ['format', { type: 'string', format: 'email' }, z.email(), 'b', "Field 'x' must be a valid email"],
  [
    'multipleOf',
    { type: 'number', multipleOf: 5 },
    z.number().multipleOf(5),
    7,
    "Field 'x' must be a multiple of 5, got 7",
  ],
];

describe('What the model reads: One template per kind, whichever validator found it', () => {
  it.each(rows)('What the model reads: %s', (code, json, zod, x, text) => {
    const outcome = bad(mendWith(open({ x: json }, ['x']), { x }));
    expect(outcome.problems).toMatchObject([{ code, path: ['x'], message: text }]);
    if (zod) expect(firstWords(z.object({ x: zod }), { x })).toBe(text);
  });

  it('What the model reads: required', () => {
    const text = "Field 'x' is required but missing";
    expect(firstWords(open({ x: string }, ['x']), {})).toBe(text);
    expect(firstWords(z.object({ x: z.string() }), {})).toBe(text);
    expect(firstWords(v.object({ x: v.string() }), {})).toBe(text);
  });

  it('What the model reads: exclusive minimum and maximum name the bound and the value', () => {
    expect(firstWords(open({ x: { type: 'number', exclusiveMinimum: 1 } }), { x: 1 })).toMatch(
      /^Field 'x' must be .*1, got 1$/,
    );
    expect(firstWords(open({ x: { type: 'number', exclusiveMaximum: 1 } }), { x: 1 })).toMatch(
      /^Field 'x' must be .*1, got 1$/,
    );
  });

  it('What the model reads: unknown', () => {
    const schema: JsonSchema = { ...(open({ path: string }) as object), additionalProperties: false };
    expect(firstWords(schema, { pth: 'a' })).toBe("Field 'pth' is not known; did you mean 'path'?");
    expect(firstWords(z.strictObject({ path: z.string().optional() }), { pth: 'a' })).toBe(
      "Field 'pth' is not known; did you mean 'path'?",
    );
  });

  it("What the model reads: union, with each form's first problem", () => {
    const text = firstWords(open({ x: { anyOf: [open({ b: string }, ['b']), open({ a: string }, ['a'])] } }), {
      x: {},
    });
    expect(text).toMatch(/^Field 'x' fits none of its allowed forms/);
    expect(text).toContain("'x.b' is required but missing");
    expect(text).toContain("'x.a' is required but missing");
  });

  it.each([
    ['duplicate_key', '{"x": 1, "x": 2}', /^Field 'x' is given twice/],
    ['unsafe_integer', '{"x": 12345678901234567890}', /^Field 'x' is an integer too large/],
    ['depth', `{"x": ${'['.repeat(300)}`, /is nested more than 256 deep$/],
  ])('What the model reads: %s in the same way', (code, text, words) => {
    expect(bad(mendWith(open({}), text)).problems).toMatchObject([{ code, message: expect.stringMatching(words) }]);
  });

  it('What the model reads: keys and size in the same way', () => {
    const policy = { limits: { keys: 2, size: 40 } };
    const keys = bad(mendWith(open({}), '{"a": 1, "b": 2, "c": 3}', { policy }));
    expect(keys.problems).toMatchObject([{ code: 'keys', message: 'Root object has more than 2 keys' }]);
    const size = bad(mendWith(open({}), `{"a": "${'x'.repeat(50)}"}`, { policy }));
    expect(size.problems).toMatchObject([{ code: 'size', message: 'Root object is longer than 40 characters' }]);
  });

  it("What the model reads: anything else, with the validator's message", () => {
    const schema = z.object({ x: z.string().refine((text) => text === 'moon', 'must be where cheese is from') });
    expect(firstWords(schema, { x: 'mars' })).toBe("Field 'x': must be where cheese is from");
  });

  it('What the model reads: Paths: config.timeout, edits.0.path; an empty path is Root object', () => {
    const schema = open({
      config: open({ timeout: { type: 'number' } }),
      edits: { type: 'array', items: open({ path: string }, ['path']) },
    });
    const messages = bad(mendWith(schema, { config: { timeout: null }, edits: [{}] })).problems.map(({ path }) =>
      path.join('.'),
    );
    expect(messages).toEqual(expect.arrayContaining(['edits.0.path']));
    expect(
      firstWords(open({ config: open({ timeout: { type: 'number' } }, ['timeout']) }), { config: { timeout: null } }),
    ).toBe("Field 'config.timeout' expected number, got null");
    expect(firstWords(open({}), '5')).toBe('Root object expected object, got number');
  });

  it('What the model reads: A suggestion follows where there is one', () => {
    const { text } = feedback(bad(mendWith(open({ x: strings }), { x: 'a, b' })));
    expect(text).toContain(
      `1. Field 'x' expected array, got string. Send ["a, b"] for one item or ["a","b"] for several`,
    );
  });
});

it.each([
  ['validation', false],
  ['unknown_tool', false],
  ['truncated', false],
  ['denied', false],
  ['aborted', false],
  ['runtime', true],
  ['logical', true],
  ['timeout', true],
] as const)('What the model reads: errorType and retryable: %s: %s', (errorType, retryable) => {
  expect(isRetryable(errorType)).toBe(retryable);
  expect(isRetryable(errorType, { once: true })).toBe(retryable && errorType !== 'timeout');
});

it('What the model reads: Failed tries on a tool raise the feedback', () => {
  const outcome = bad(mendWith(open({ limit: integer, path: string }, ['path']), { limit: 'ten' }));
  const [one, two, three] = [1, 2, 3].map((tries) => feedback(outcome, { attempt: tries }).text) as [
    string,
    string,
    string,
  ];
  for (const text of [one, two, three]) expect(text).toContain("Field 'path' is required but missing");
  expect(one).not.toContain('"ten"');
  expect(two).toMatch(/"limit": "ten".*expected integer, got string/);
  expect(two).not.toMatch(/example/i);
  expect(three).toContain('{"type":"integer"}');
  expect(three).toMatch(/example/i);
});

it('What the model reads: The invalid tool gets {tool, error, receivedArgs}, for failed checks and unknown tools', () => {
  const failed = bad(mendWith(open({ path: string }, ['path']), '{"limit": 5}'));
  expect(invalidPayload(failed)).toEqual({ tool: 'act', error: feedback(failed).text, receivedArgs: { limit: 5 } });
});
