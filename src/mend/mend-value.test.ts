import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feedback } from './feedback/feedback.ts';
import { mendValue } from './mend-value.ts';
import type { ValueSoFar } from './streaming/value-stream.ts';

const Person = z.object({ name: z.string(), age: z.number() });

describe('mendValue', () => {
  it('reads, coerces and checks as mend does, without a tool', () => {
    const out = mendValue("Sure! Here:\n```json\n{name: 'Ada', age: '36',}\n```", Person);
    expect(out).toMatchObject({ status: 'mended', value: { name: 'Ada', age: 36 }, input: { name: 'Ada', age: 36 } });
    expect(out.repairs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['fence', 'quote', 'comma', 'type']));
    expect(mendValue('{"name": "Ada", "age": 36}', Person)).toMatchObject({ status: 'ok', repairs: [] });
  });

  it('refuses what is wrong, cut off or said twice', () => {
    expect(mendValue('{"name": "Ada", "age": "old"}', Person)).toMatchObject({
      status: 'invalid',
      input: { name: 'Ada', age: 'old' },
      problems: [{ path: ['age'], code: 'type' }],
    });
    expect(mendValue('{"name": "Ada", "age": 3', Person)).toMatchObject({ problems: [{ code: 'truncated' }] });
    expect(mendValue('{"name": "Ada", "age": 36} or {"name": "Bob", "age": 36}', Person).status).toBe('invalid');
  });

  it('just reads without a schema', () => {
    expect(mendValue("{a: [1, 'x',],}")).toMatchObject({ status: 'mended', value: { a: [1, 'x'] } });
    expect(mendValue('[1, 2]')).toMatchObject({ status: 'ok', value: [1, 2] });
    expect(mendValue('no value here')).toMatchObject({ status: 'invalid', problems: [{ code: 'syntax' }] });
  });

  it("hands on the validator's output as value, the mended JSON as input", () => {
    const schema = z.object({ at: z.coerce.date(), n: z.number().default(1) });
    const out = mendValue('{"at": "2024-05-01",}', schema);
    expect(out).toMatchObject({ input: { at: '2024-05-01' }, value: { at: new Date('2024-05-01'), n: 1 } });
  });

  it.each<[string, unknown]>([
    ['Zod', Person],
    [
      'JSON Schema',
      { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } }, required: ['name', 'age'] },
    ],
    ['ArkType', type({ name: 'string', age: 'number' })],
  ])('takes %s', (_, schema) => {
    expect(mendValue("{name: 'Ada', age: '36'}", schema)).toMatchObject({
      status: 'mended',
      value: { name: 'Ada', age: 36 },
    });
    expect(mendValue("{name: 'Ada'}", schema)).toMatchObject({ status: 'invalid', problems: [{ path: ['age'] }] });
  });

  it('checks a schema whose JSON Schema can not be had, and coerces nothing there', () => {
    const schema = v.object({ age: v.number() });
    expect(mendValue('{age: 36,}', schema)).toMatchObject({ status: 'mended', value: { age: 36 } });
    expect(mendValue('{age: "36",}', schema)).toMatchObject({ status: 'invalid', problems: [{ path: ['age'] }] });
  });

  it('takes only what is as sure as asked', () => {
    expect(mendValue("{'name': 'Ada', 'age': 36,}", Person, { minCertainty: 'lossless' }).status).toBe('mended');
    const out = mendValue('{"name": "Ada", "age": "36"}', Person, { minCertainty: 'lossless' });
    expect(out).toMatchObject({ status: 'invalid', problems: [{ code: 'not_exact', path: ['age'], received: '36' }] });
    expect(out.problems[0]?.message).toMatch(/^Field 'age' /);
  });

  it('keeps to limits, and closes nothing in text that was cut', () => {
    expect(mendValue('[[1]]', undefined, { limits: { depth: 1 } })).toMatchObject({ problems: [{ code: 'depth' }] });
    expect(mendValue('{"a": true', undefined, { truncated: true })).toMatchObject({
      problems: [{ code: 'truncated' }],
    });
    expect(mendValue('{"a": true')).toMatchObject({ status: 'mended', value: { a: true } });
  });
});

describe('mendValue at the root', () => {
  it.each<[string, unknown, unknown]>([
    ['[1, "2", 3,]', z.array(z.number()), [1, 2, 3]],
    ['The list: ["a", "b"]. Done.', z.array(z.string()), ['a', 'b']],
    ['{"n": 1}', z.array(z.object({ n: z.number() })), [{ n: 1 }]],
    ['5', { type: 'integer' }, 5],
    ['"5"', { type: 'integer' }, 5],
    [' 5 \n', z.number(), 5],
    ['yes', z.boolean(), true],
    ['hello world', z.string(), 'hello world'],
    ['"hello"', z.string(), 'hello'],
    ['5', z.string(), '5'],
    ['RED', z.enum(['red', 'blue']), 'red'],
    ['null', z.number().nullable(), null],
    ['null', Person.nullable(), null],
    ['{"name": "Ada", "age": 36}', Person.nullable(), { name: 'Ada', age: 36 }],
    ['null', z.array(z.string()).nullable(), null],
  ])('reads %j', (text, schema, value) => {
    expect(mendValue(text, schema)).toMatchObject({ problems: [] });
    expect(mendValue(text, schema)).toHaveProperty('value', value);
  });

  it.each<[string, unknown]>([
    ['five', { type: 'integer' }],
    ['5.5', { type: 'integer' }],
    ['maybe', z.boolean()],
    ['purple', z.enum(['red', 'blue'])],
    ['a, b', z.array(z.string())],
    ['[1, "two"]', z.array(z.number())],
    ['null', Person],
  ])('refuses %j', (text, schema) => expect(mendValue(text, schema).status).toBe('invalid'));

  it.each(['9007199254740993', '12345678901234567890', '-12345678901234567890'])('F10 never rounds %s', (text) => {
    for (const schema of [{ type: 'integer' }, { type: 'number' }, z.number(), z.int(), undefined])
      expect(mendValue(text, schema).status).toBe('invalid');
    expect(mendValue(text, { type: 'string' })).toHaveProperty('value', text);
  });
});

describe('mendValue of a stream', () => {
  async function* chunks(text: string, size: number): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const text = "Here: {name: 'Ada Lovelace', age: '36',}";

  it.each([1, 3, 7, 64])(
    'gives the value so far, and in the end what the whole gives, in chunks of %i',
    async (size) => {
      const stream = mendValue(chunks(text, size), Person);
      const seen: ValueSoFar[] = [];
      for await (const so of stream) seen.push({ value: structuredClone(so.value), changes: so.changes });
      expect(await stream.result).toEqual(mendValue(text, Person));
      expect(seen.flatMap(({ changes }) => changes).length).toBeGreaterThan(1);
      for (const { changes } of seen) expect(changes.length).toBeGreaterThan(0);
      if (size <= 3) {
        // It grows: each is the one before, or that with more in it.
        const names = seen.map(({ value }) => (value as { name?: string }).name ?? '');
        expect(new Set(names).size).toBeGreaterThan(4);
        for (const [i, name] of names.entries()) expect(name.startsWith(names[i - 1] ?? '')).toBe(true);
      }
    },
  );

  it('guard: reads the text for its result alone', async () => {
    expect((await mendValue(chunks(text, 5), Person).result).status).toBe('mended');
  });

  it.each([
    ['{"name": "Ada", "age": "old"}', 'a value that the schema refuses'],
    ['{"name": "Ada", "age": 3', 'a text that was cut off'],
    ['{"name": "Ada", "age": , "x": 1}', 'a fault behind what was read'],
    ['{"name": "Ada", "age": 36} {"name": "Bob", "age": 5}', 'two values'],
    ['{"name": "a \\d" "b" c", "age": 36}', 'a string with two readings'],
  ])('says that what was seen is void: %s (%s)', async (bad) => {
    for (const size of [1, 4, 1000]) {
      const stream = mendValue(chunks(bad, size), Person);
      const seen: ValueSoFar[] = [];
      for await (const so of stream) seen.push(so);
      expect((await stream.result).status).toBe('invalid');
      expect(seen.at(-1)).toEqual({ value: undefined, changes: [{ type: 'reset', path: [] }] });
    }
  });

  it('says that the value is another than the one that was seen last', async () => {
    const stream = mendValue(chunks('{"name": "Ada", "age": 36}\n\nSource: [1]', 3), Person);
    let last: ValueSoFar | undefined;
    for await (const so of stream) last = so;
    const out = await stream.result;
    expect(out).toHaveProperty('input', { name: 'Ada', age: 36 });
    expect(last?.value).toEqual(out.input);
  });

  it('guard: no reset follows a value that stands', async () => {
    const types: string[] = [];
    for await (const { changes } of mendValue(chunks(text, 3), Person)) types.push(...changes.map(({ type }) => type));
    expect(types).not.toContain('reset');
  });

  it('fails as its source fails', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield '{"a": ';
      throw new Error('line cut');
    }
    const stream = mendValue(broken());
    const all = async () => {
      for await (const _ of stream);
    };
    await expect(all()).rejects.toThrow('line cut');
    await expect(mendValue(broken()).result).rejects.toThrow('line cut');
  });

  it('reads a scalar and a list at the root too', async () => {
    expect(await mendValue(chunks('[1, "2"]', 2), z.array(z.number())).result).toHaveProperty('value', [1, 2]);
    expect(await mendValue(chunks('hello', 2), z.string()).result).toHaveProperty('value', 'hello');
  });
});

describe('a fixed word in a fence', () => {
  const mood = z.enum(['positive', 'negative']);
  it.each(['"Positive"', '"POSITIVE"', '"positive"', 'Positive'])('%s', (word) => {
    for (const text of [`\`\`\`json\n${word}\n\`\`\``, `\`\`\`\n${word}\n\`\`\``, `\`${word}\``])
      expect(mendValue(text, mood)).toMatchObject({ status: 'mended', value: 'positive' });
  });
  it.each(['"neutral"', '"Pos', '"Positive", "negative"'])('guard: %s is none', (word) => {
    expect(mendValue(`\`\`\`json\n${word}\n\`\`\``, mood)).toMatchObject({ status: 'invalid' });
  });
  it('guard: text keeps its fence', () => {
    const text = '```json\n"Positive"\n```';
    expect(mendValue(text, z.string())).toMatchObject({ value: text });
  });
});

describe('nothing', () => {
  it.each(['', '  \n'])('%j is no structured output, though it is arguments', (text) => {
    const out = mendValue(text, { type: 'object', properties: {} });
    expect(out).toMatchObject({ status: 'invalid', problems: [{ code: 'syntax' }] });
  });
});

describe('mendValue of a parsed value', () => {
  it.each<[unknown, unknown, unknown]>([
    [{ name: 'Ada', age: '36' }, Person, { name: 'Ada', age: 36 }],
    [[{ NAME: 'Ada', age: 36 }], z.array(Person), [{ name: 'Ada', age: 36 }]],
    [5, z.number(), 5],
    [null, z.null(), null],
  ])('mends %j', (value, schema, mended) => {
    expect(mendValue(value, schema)).toMatchObject({ problems: [], value: mended });
  });

  it('refuses one that does not match, with what was received', () => {
    const value = { name: 'Ada', age: 'old' };
    expect(mendValue(value, Person)).toMatchObject({ status: 'invalid', errorType: 'validation', raw: value });
    expect(() => mendValue(undefined)).toThrow('expected text, chunks of text or a JSON value');
  });
});

describe('feedback about a value', () => {
  const bad = (text: string, finishReason?: string) => {
    const out = mendValue(text, Person, { finishReason });
    if (out.status !== 'invalid') throw new Error('It is valid');
    return out;
  };

  it('names the problems, and asks for the output instead of a call', () => {
    const { text, result } = feedback(bad('{"name": "Ada", "age": "old"}'));
    expect(text).toBe(
      "The output is not valid:\n\n1. Field 'age' expected number, got string\n\nPlease fix it and send the complete output again, without any other text.",
    );
    expect(result).toMatchObject({ ok: false, errorType: 'validation', retryable: false });
  });

  it('marks the problems at the second attempt, and shows schema and example at the third', () => {
    const out = bad('{"name": "Ada", "age": "old"}');
    expect(feedback(out, { attempt: 2 }).text).toContain('The output as received:\n{');
    const { text } = feedback(out, { attempt: 3 });
    expect(text).toContain('age (required): {"type":"number"}');
    expect(text).toMatch(/Example of the output:\n\{"name":"Ada","age":"<age: a number>"\}/);
  });

  it('says what truncated it', () => {
    const open = bad('{"name": "Ada", "ag', 'max_tokens');
    expect(open).toMatchObject({ errorType: 'truncated', finishReason: 'max_tokens' });
    const { text } = feedback(open);
    expect(text).toContain('The output was cut off by the output token limit before it was complete.\n');
    expect(text).toContain('Please send it again as a whole, and shorter.');
    expect(text).not.toMatch(/call|run/);
  });
});
