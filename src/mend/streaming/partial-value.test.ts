import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendValue } from '../mend-value.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

/** The value after each piece that changed it. */
async function valuesOf(schema: unknown, ...texts: string[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of mendValue(pieces(...texts), schema)) values.push(structuredClone(value));
  return values;
}

describe('typed partial values', () => {
  it('shows a string while it streams, and another type only when it is complete and coerced', async () => {
    const schema = z.object({ title: z.string(), pages: z.int(), open: z.boolean() });
    expect(await valuesOf(schema, '{"title": "Min', 'utes", "pages": "1', '2", "open": "ye', 's"}')).toEqual([
      { title: 'Min' },
      { title: 'Minutes' },
      { title: 'Minutes', pages: 12 },
      { title: 'Minutes', pages: 12, open: true },
    ]);
  });

  it('shows an allowed value when it is complete, with its own spelling', async () => {
    const schema = z.object({ mood: z.enum(['very_good', 'bad']), why: z.string() });
    expect(await valuesOf(schema, '{"mood": "Very', ' Good", "why": "s', 'un"}')).toEqual([
      {},
      { mood: 'very_good', why: 's' },
      { mood: 'very_good', why: 'sun' },
    ]);
  });

  it('leaves out what has the wrong type, and withdraws the value if the text is refused', async () => {
    const schema = z.object({ name: z.string(), age: z.number() });
    expect(await valuesOf(schema, '{"name": "A', 'da", "age": "o', 'ld"', '}')).toEqual([
      { name: 'A' },
      { name: 'Ada' },
      undefined,
    ]);
  });

  it('has the declared spelling of keys, and no keys that are dropped', async () => {
    const schema = z.object({ user_name: z.string(), n: z.number() });
    expect(await valuesOf(schema, '{"userName": "A', 'da", "comment": "none", ', '"n": 1}')).toEqual([
      { user_name: 'A' },
      { user_name: 'Ada' },
      { user_name: 'Ada', n: 1 },
    ]);
  });

  it('reads a list in text, a single item and a list of one object when they are complete', async () => {
    const schema = z.object({ tags: z.array(z.string()), ids: z.array(z.int()), owner: z.object({ id: z.int() }) });
    const values = await valuesOf(schema, `{"tags": "['a'`, `, 'b']", "ids": 5,`, ' "owner": [{"id": "7"}', ']}');
    expect(values).toEqual([
      {},
      { tags: ['a', 'b'] },
      { tags: ['a', 'b'], ids: [5] },
      { tags: ['a', 'b'], ids: [5], owner: { id: 7 } },
    ]);
  });

  it('follows references and unions', async () => {
    const schema = {
      type: 'object',
      properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } } },
      $defs: {
        item: {
          anyOf: [
            { type: 'object', properties: { kind: { const: 'a' }, n: { type: 'integer' } }, required: ['kind', 'n'] },
            { type: 'object', properties: { kind: { const: 'b' }, s: { type: 'string' } }, required: ['kind', 's'] },
          ],
        },
      },
    };
    expect(await valuesOf(schema, '{"items": [{"kind": "a", "n": "1"}, {', '"kind": "b", "s": "lo', 'ng"}]}')).toEqual([
      { items: [{ kind: 'a', n: 1 }, {}] },
      {
        items: [
          { kind: 'a', n: 1 },
          { kind: 'b', s: 'lo' },
        ],
      },
      {
        items: [
          { kind: 'a', n: 1 },
          { kind: 'b', s: 'long' },
        ],
      },
    ]);
  });

  it('changes describe the typed value', async () => {
    const rebuilt: { value?: unknown } = {};
    const schema = z.object({ list: z.array(z.object({ n: z.int(), text: z.string() })) });
    const text = '{"list": [{"n": "1", "text": "ab"}, {"N": 2, "text": "c", "note": ""}]}';
    async function* chars(): AsyncGenerator<string> {
      yield* text;
    }
    for await (const { changes, value } of mendValue(chars(), schema)) {
      for (const change of changes) {
        const [key, ...outer] = ['value', ...change.path].reverse();
        // biome-ignore lint/suspicious/noExplicitAny: walks to any depth
        const at = outer.reverse().reduce((here: any, step) => here[step], rebuilt);
        if (change.type === 'open') at[key as string] = Array.isArray(change.value) ? [] : {};
        else if (change.type === 'set') at[key as string] = change.value;
        else if (change.type === 'append') at[key as string] += change.text;
      }
      expect(rebuilt.value).toEqual(value);
    }
    expect(rebuilt.value).toEqual({
      list: [
        { n: 1, text: 'ab' },
        { n: 2, text: 'c' },
      ],
    });
  });

  it('shows a scalar at the root at its end', async () => {
    expect(await valuesOf(z.int(), '4', '2')).toEqual([42]);
    expect(await valuesOf(z.enum(['red', 'blue']), 'R', 'ed')).toEqual(['red']);
  });
});

describe('immutable partial values', () => {
  it('has a new object along the changed path, and shares the rest', async () => {
    const schema = z.object({ a: z.object({ x: z.string() }), b: z.array(z.object({ y: z.string() })) });
    const source = pieces('{"a": {"x": "1"}, "b": [{"y": "p"}, {"y": "q', 'r', 's"}]}');
    // biome-ignore lint/suspicious/noExplicitAny: partial values are compared by identity
    const values: any[] = [];
    for await (const { value } of mendValue(source, schema, { immutable: true })) values.push(value);
    expect(values.map(({ b }) => b[1].y)).toEqual(['q', 'qr', 'qrs']);
    const [one, two] = values;
    expect(one).not.toBe(two);
    expect(one.b).not.toBe(two.b);
    expect(one.b[1]).not.toBe(two.b[1]);
    expect(one.a).toBe(two.a);
    expect(one.b[0]).toBe(two.b[0]);
  });

  it('works without a schema', async () => {
    const values: unknown[] = [];
    for await (const { value } of mendValue(pieces('{"a": "b', 'c"}'), undefined, { immutable: true }))
      values.push(value);
    expect(values).toEqual([{ a: 'b' }, { a: 'bc' }]);
  });
});
