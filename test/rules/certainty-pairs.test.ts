/** Two faults at one place: the less certain repair counts, so that neither reaches a destructive tool as lossless. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { runs } from '../sample.ts';
import { boolean, closed, integer, mendWith, named, string, strings } from './mend-with.ts';

const schema = closed({
  path: string,
  limit: integer,
  deep: boolean,
  tags: strings,
  mode: { enum: ['read_only', 'write'] },
  where: { type: 'object', properties: { folder: string } } as JsonSchema,
});

/** Ways to write a text that strict JSON does not take, and that leave one reading whatever the schema. */
const writings: Readonly<Record<string, (json: string) => string>> = {
  'as it is': (json) => json,
  'single quotes': (json) => json.replaceAll('"', "'"),
  'a comma too many': (json) => json.replace(/\}$/, ',}'),
  'bare keys': (json) => json.replace(/"(\w+)":/g, '$1:'),
  'a fence': (json) => `\`\`\`json\n${json}\n\`\`\``,
  'a comment': (json) => `// the call\n${json}`,
  'an extra closer': (json) => `${json}}`,
  'Python literals': (json) => json.replaceAll('true', 'True').replaceAll('null', 'None'),
  'double encoding': (json) => JSON.stringify(json),
};
/** Faults that only the schema settles. */
const inferences: Readonly<Record<string, Record<string, unknown>>> = {
  'a number in quotes': { limit: '5' },
  'a boolean in quotes': { deep: 'true' },
  'a boolean as a number': { deep: 1 },
  'one value for a list': { tags: 'a' },
  'a list as text': { tags: '["a"]' },
  'a number for text': { path: 5 },
  'a list of one text': { path: ['a.ts'] },
  'another spelling of a member': { mode: 'READ-ONLY' },
  'a key in other letters': { Path: 'a.ts' },
  'a slip in a key': { pahts: 'x', limti: 5, path: 'a' },
  'a renamed key and a member': { MODE: 'Read Only' },
  'a renamed key and a type': { LIMIT: '5' },
  'a null': { path: 'a', limit: null },
  'an undeclared key': { path: 'a', explanation: 'why' },
  'a wrapper': { arguments: { path: 'a' } },
  'a wrapper and a slip': { parameters: { limti: 5 } },
  'the name as a wrapper': { [named]: { path: 'a' } },
  'an object as text': { where: '{"folder": "a"}' },
  'a list of one object': { where: [{ folder: 'a' }] },
};
/** Faults of writing that are inferred by themselves. */
const unsure: Readonly<Record<string, string>> = {
  'an underscore behind a backslash': String.raw`{"path": "a\_b"}`,
  'in single quotes too': String.raw`{'path': 'a\_b'}`,
  'inner quotes in other quotes': `{'path': 'it's here', 'limit': 5}`,
  'prose around': 'Here it is:\n{"path": "a"}',
  'a missing comma between texts': '{"tags": ["a" "b"]}',
};
/** Those that were told apart before. */
const known: Readonly<Record<string, string>> = {
  'inner quotes': '{"path": "say "hi" now", "limit": 5}',
  'a missing closer': '{"path": "a"',
  'pieces of a string': '{"path": "a" + "b"}',
};

const pairs = Object.entries(writings).flatMap(([writing, write]) =>
  Object.entries(inferences).map(([fault, value]) => [writing, fault, write(JSON.stringify(value))] as const),
);

describe('guard: Certainty: a notation fault next to a type fault', () => {
  it.each(pairs)('guard: Certainty: %s, %s', (_, __, text) => {
    expect(mendWith(schema, text, { effect: 'destructive' }).status).toBe('invalid');
    const { status, repairs } = mendWith(schema, text, { effect: 'destructive', minCertainty: 'inferred' });
    if (status !== 'invalid') expect(repairs.map(({ certainty }) => certainty)).toContain('inferred');
  });
  it.each(Object.entries(writings))('guard: Certainty: %s alone is lossless', (_, write) => {
    const value = { path: 'a.ts', limit: 5, deep: true };
    expect(mendWith(schema, write(JSON.stringify(value)), { effect: 'destructive' })).toMatchObject({ input: value });
  });
});

describe('Certainty: uncertain notation', () => {
  it.each(Object.entries(unsure))('Certainty: %s never reaches a destructive tool', (_, text) => {
    expect(mendWith(schema, text, { effect: 'destructive' }).status).toBe('invalid');
  });
  it.each(Object.entries(known))('guard: Certainty: %s never does either', (_, text) => {
    expect(mendWith(schema, text, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: Certainty: any two faults', () => {
  it('guard: Certainty: a destructive tool refuses them, and others record them as inferred', () => {
    const writing = fc.constantFrom(...Object.values(writings));
    const fault = fc.constantFrom(...Object.values(inferences));
    fc.assert(
      fc.property(writing, writing, fault, fault, (one, other, a, b) => {
        const text = other(one(JSON.stringify({ ...a, ...b })));
        expect(mendWith(schema, text, { effect: 'destructive' }).status).toBe('invalid');
        const { status, repairs } = mendWith(schema, text);
        if (status !== 'invalid') expect(repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('guard: Order: received is what the model wrote, whatever the validator', () => {
  const cases: readonly (readonly [string, JsonSchema, unknown])[] = [
    ['minimum', { type: 'integer', minimum: 9 }, '5'],
    ['maximum', { type: 'integer', maximum: 3 }, '5'],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 5 }, '5'],
    ['multipleOf', { type: 'integer', multipleOf: 4 }, '5'],
    ['minLength', { type: 'string', minLength: 3 }, 5],
    ['maxLength', { type: 'string', maxLength: 1 }, 55],
    ['pattern', { type: 'string', pattern: '^a' }, 5],
    ['format', { type: 'string', format: 'email' }, 5],
    ['minItems', { type: 'array', items: string, minItems: 2 }, 'a'],
    ['maxItems', { type: 'array', items: string, maxItems: 1 }, '["a", "b"]'],
    ['uniqueItems', { type: 'array', items: string, uniqueItems: true }, '["a", "a"]'],
    ['enum', { type: 'integer', enum: [1, 2] }, '5'],
    ['type', { type: 'integer' }, 'five'],
    ['const', { type: 'integer', const: 1 }, '5'],
  ];
  it.each(cases)('guard: Order: %s (%j) for %j, under its key, another spelling and a wrapper', (_, one, v) => {
    const whole = closed({ the_value: one });
    for (const sent of [{ the_value: v }, { theValue: v }, { arguments: { the_value: v } }, { theValu: v }]) {
      const { status, problems } = mendWith(whole, sent);
      expect(status).toBe('invalid');
      expect(problems[0]).toMatchObject({ received: v });
    }
  });
});
