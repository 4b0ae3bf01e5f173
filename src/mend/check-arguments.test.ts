import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJson } from '../json/read-json.ts';
import { schemaOf } from '../schema/schema.ts';
import { checkArguments } from './check-arguments.ts';

const judged = (source: unknown, text: string, name?: string) =>
  checkArguments(readJson(text, { want: 'object' }), schemaOf(source), {
    text,
    ...(name === undefined ? {} : { name }),
  });
const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more });
const integer = { type: 'integer' };

describe('judge', () => {
  it('leaves what passes alone, the very same value', () => {
    const reading = readJson('{"a": "5"}');
    const out = checkArguments(reading, schemaOf(object({ a: { type: 'string' } })));
    expect(out.input).toBe(reading.value);
    expect(out).toMatchObject({ repairs: [], problems: [] });
  });

  it('gives the same from the first call to the hundredth, when checks are compiled anew', () => {
    const schema = schemaOf(object({ a: integer }));
    for (let call = 0; call < 100; call += 1) {
      expect(checkArguments(readJson('{"a": 5}'), schema)).toMatchObject({ input: { a: 5 }, repairs: [] });
      expect(checkArguments(readJson('{"A": 5}'), schema)).toMatchObject({
        input: { a: 5 },
        repairs: [{ kind: 'key' }],
      });
      expect(checkArguments(readJson('{"a": "x"}'), schema).problems).toHaveLength(1);
    }
  });

  it('tells what is left after coercion, not what was mended', () => {
    const { problems, repairs } = judged(
      object({ a: integer, b: integer }, { required: ['c'] }),
      '{"a": "1", "b": "x"}',
    );
    expect(problems.map(({ path }) => path.join('.')).sort()).toEqual(['b', 'c']);
    expect(repairs).toMatchObject([{ path: ['a'] }]);
  });

  it('tells each place once, by coercion where only that sees it', () => {
    const closed = object({ path: { type: 'string' } }, { additionalProperties: false });
    expect(judged(closed, '{"pth": "x"}').problems).toMatchObject([{ code: 'unknown', path: ['pth'] }]);
  });

  it.each([
    ['under its own key', '{"n": "5"}'],
    ['under another spelling', '{"N": "5"}'],
    ['in a wrapper', '{"arguments": {"n": "5"}}'],
    ['in a list of one', '[{"n": "5"}]'],
    ['in text', '"{\\"n\\": \\"5\\"}"'],
  ])('tells what the model wrote %s', (_, text) => {
    const schema = object({ n: { type: 'integer', minimum: 10 } });
    const { problems } = checkArguments(readJson(text), schemaOf(schema), { text });
    expect(problems).toMatchObject([{ code: 'minimum', path: ['n'], received: '5' }]);
  });

  it.each([
    ['as it stands', '{"id": 1.50}'],
    ['with damage', '{id: 1.50,}'],
    ['in a list of one', '[{"id": 1.50}]'],
    ['in a wrapper', '{"arguments": {"id": 1.50}}'],
    ['in a wrapper as text', '{"arguments": "{\\"id\\": 1.50}"}'],
  ])('writes a number as text the way the model did, %s', (_, text) => {
    expect(judged(object({ id: { type: 'string' } }, { required: ['id'] }), text, 'act')).toMatchObject({
      input: { id: '1.50' },
    });
  });

  it('refuses an integer past 2^53 where nothing can be coerced', () => {
    const large = '{"a": [12345678901234567890]}';
    expect(checkArguments(readJson(large), schemaOf(undefined)).problems).toMatchObject([{ code: 'unsafe_integer' }]);
  });

  it('S2.2 types a field under another spelling beside one that failed, in Zod as in JSON Schema', () => {
    const zod = z.object({ userAge: z.number().optional(), n: z.number() });
    const json = object({ userAge: { type: 'number' }, n: { type: 'number' } }, { required: ['n'] });
    for (const schema of [zod, json])
      expect(judged(schema, '{"user_age": "36", "n": "1"}')).toMatchObject({
        input: { userAge: 36, n: 1 },
        problems: [],
      });
  });

  it('S2.3 runs a preprocess step first, and reports what it refuses with the original value', () => {
    const list = z.preprocess((value) => (typeof value === 'string' ? JSON.parse(value) : value), z.array(z.string()));
    const schema = z.object({ files: list, n: z.number() });
    expect(judged(schema, '{"files": "[\\"a\\"]", "n": "1"}')).toMatchObject({
      input: { files: '["a"]', n: 1 },
      value: { files: ['a'], n: 1 },
    });
    const bad = judged(schema, '{"files": "not a list, at all", "n": 1}');
    expect(bad.problems[0]).toMatchObject({ path: [] });
  });
});
