import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { schemaOf } from '../schema.ts';

const messages = (source: unknown, value: unknown): string[] => {
  const checked = schemaOf(source).check(value);
  return checked.ok ? [] : checked.problems.map((problem) => problem.message);
};

describe('a Standard Schema', () => {
  const valibot = v.object({ name: v.pipe(v.string(), v.minLength(3)), tags: v.optional(v.array(v.string()), []) });

  it('S1.1 hands on what the validator made', () => {
    expect(schemaOf(valibot).check({ name: 'abc' })).toEqual({ ok: true, value: { name: 'abc', tags: [] } });
  });

  it('S0.4 falls back to its own words where no JSON Schema can be had', () => {
    expect(schemaOf(valibot).json).toBeUndefined();
    expect(messages(valibot, {})).toEqual(["Field 'name' is required but missing"]);
    expect(messages(valibot, { name: 'abc', tags: [5] })).toEqual([
      "Field 'tags.0': Invalid type: Expected string but received 5",
    ]);
  });

  it('uses the words of the table where a JSON Schema can be had', () => {
    const schema = toStandardJsonSchema(valibot);
    expect(schemaOf(schema).json).toMatchObject({ type: 'object' });
    expect(messages(schema, { name: 'a', tags: [5] })).toEqual([
      "Field 'name' must be at least 3 characters, got 1",
      "Field 'tags.0' expected string, got number",
    ]);
  });

  it('reads ArkType, whose schemas are functions', () => {
    const ark = type({ name: 'string>2', 'age?': 'number.integer' });
    expect(schemaOf(ark).kind).toBe('standard');
    expect(schemaOf(ark).json).toMatchObject({ required: ['name'] });
    expect(messages(ark, { name: 'a', age: 'x' })).toEqual([
      "Field 'name' must be at least 3 characters, got 1",
      "Field 'age' expected integer, got string",
    ]);
    expect(messages(ark, {})).toEqual(["Field 'name' is required but missing"]);
  });

  it('adds the words of what only the validator finds', () => {
    const checked = v.object({
      a: v.pipe(v.number(), v.minValue(1)),
      b: v.pipe(
        v.string(),
        v.check((text) => text === 'x', 'say x'),
      ),
    });
    const schema = {
      '~standard': { ...checked['~standard'], jsonSchema: { input: () => ({ properties: { a: { minimum: 1 } } }) } },
    };
    expect(messages(schema, { a: 0, b: 'y' })).toEqual(["Field 'a' must be at least 1, got 0", "Field 'b': say x"]);
  });

  it('does not tell what only its JSON Schema minds', () => {
    const checked = v.object({ a: v.number(), on: v.pipe(v.unknown(), v.transform(String)) });
    const jsonSchema = { input: () => ({ properties: { a: { type: 'number' }, on: { type: 'string' } } }) };
    const schema = { '~standard': { ...checked['~standard'], jsonSchema } };
    expect(messages(schema, { a: 'x', on: 5 })).toEqual(["Field 'a' expected number, got string"]);
  });

  it('refuses to check asynchronously', () => {
    const slow = v.objectAsync({
      a: v.pipeAsync(
        v.string(),
        v.checkAsync(async () => true),
      ),
    });
    expect(() => schemaOf(slow).check({ a: 'x' })).toThrow(expect.objectContaining({ code: 'async_schema' }));
  });

  it('turns what a validator throws into a problem', () => {
    const validate = () => {
      throw new Error('out of order');
    };
    expect(messages({ '~standard': { version: 1, vendor: 'own', validate } }, 1)).toEqual([
      'Root object: out of order',
    ]);
  });

  it('never throws for a JSON Schema', () => {
    const input = () => {
      throw new Error('no');
    };
    const validate = (value: unknown) => ({ value });
    expect(
      schemaOf({ '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input } } }).json,
    ).toBeUndefined();
  });
});
