import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import type { ProblemCode } from '../../json/problem.ts';
import { valueAt } from '../../schema/lookup.ts';
import { schemaOf } from '../../schema/schema.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { describe as put } from '../../schema/validate/messages.ts';
import { tool } from '../../tools/tool.ts';
import type { BadOutcome } from '../outcome.ts';
import { feedback, invalidPayload } from './feedback.ts';

const key = fc.constantFrom('path', 'edits', 'kind', '__proto__', 'toString', 'a.b', "it's");
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonSchema>(true, {}, { type: 'string' }, { type: 'integer', minimum: 3 }, { enum: ['a', 1] }),
    fc.record({
      type: fc.constant('object' as const),
      properties: fc.dictionary(key, tie('schema')),
      required: fc.uniqueArray(key, { maxLength: 3 }),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ type: fc.constant('array' as const), items: tie('schema'), minItems: fc.nat(3) }),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.constant<JsonSchema>({ $ref: '#' }),
  ),
}));
const value = fc.jsonValue({ maxDepth: 4 });
const problem = fc.record({
  path: fc.array(fc.oneof(key, fc.nat(5)), { maxLength: 5 }),
  code: fc.constantFrom<ProblemCode>(
    'required',
    'type',
    'union',
    'unknown',
    'truncated',
    'syntax',
    'mentioned',
    'not_exact',
    'size',
  ),
  message: fc.string(),
  expected: fc.constantFrom('number', 'array or null', 'a, b'),
  received: value,
});

const bad = (json: JsonSchema, input: unknown, problems: BadOutcome['problems'], errorType: BadOutcome['errorType']) =>
  ({
    status: 'invalid',
    errorType,
    raw: { name: 'x', arguments: input },
    tool: tool({ name: 'x', description: '', inputSchema: json }),
    name: 'x',
    input,
    repairs: [],
    problems,
  }) as BadOutcome;

describe('feedback on anything', () => {
  it('never throws, is JSON and stays bounded, whatever the problems say', () => {
    const types = fc.constantFrom<BadOutcome['errorType']>('validation', 'unknown_tool', 'truncated');
    fc.assert(
      fc.property(schema, value, fc.array(problem), types, fc.nat(4), (json, input, problems, errorType, tries) => {
        const outcome = bad(json, input, problems, errorType);
        const told = feedback(outcome, { attempt: tries });
        expect(JSON.parse(JSON.stringify(told))).toEqual(told);
        expect(told.text.length).toBeLessThan(14_000);
        expect(JSON.parse(JSON.stringify(invalidPayload(outcome))).tool).toBe('x');
      }),
      { numRuns: runs(500) },
    );
  });

  it('C1 an example made of real problems puts right every missing field and wrong type', () => {
    const flat = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom<JsonSchema>(
        { type: 'string' },
        { type: 'integer' },
        { type: 'boolean' },
        { enum: ['x', 'y'] },
        { type: 'array', items: { type: 'number' } },
      ),
    );
    fc.assert(
      fc.property(flat, fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value), (properties, input) => {
        const json: JsonSchema = {
          type: 'object',
          properties,
          required: Object.keys(properties),
          additionalProperties: false,
        };
        const checked = schemaOf(json).check(input);
        if (checked.ok) return;
        const { text } = feedback(bad(json, input, checked.problems, 'validation'), { attempt: 3 });
        const example = JSON.parse(/Example of a call to x:\n(.*)/.exec(text)?.[1] ?? 'null');
        // What was sent wrong and has no plain reading is left to be filled in, by a place that no schema takes.
        const left = schemaOf(json).check(example);
        for (const { path } of left.ok ? [] : left.problems)
          expect(valueAt(example, path), JSON.stringify(example)).toMatch(/^<.+>$/);
      }),
    );
  });

  it('lists one problem per line, numbered from 1', () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      put({ path: [`f${n}`], code: 'required', want: {}, received: undefined }),
    );
    const lines = feedback(bad(true, {}, many, 'validation'))
      .text.split('\n')
      .slice(2, 14);
    expect(lines).toEqual(many.map(({ message }, n) => `${n + 1}. ${message}`));
  });
});
