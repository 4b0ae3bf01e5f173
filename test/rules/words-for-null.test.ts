/** Words without quotes that stand for null in other languages: text only where null isn't possible. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, string } from './mend-with.ts';

const note: JsonSchema = { type: ['string', 'null'] };
const eithers: readonly JsonSchema[] = [note, { anyOf: [string, { type: 'null' }] }];
const modes: readonly JsonSchema[] = [
  { enum: ['none', 'all', null] },
  { anyOf: [{ enum: ['none', 'all'] }, { type: 'null' }] },
];
const words = ['none', 'nil', 'NIL', 'N/A', 'n/a', 'NONE'];

describe('a word for null without quotes', () => {
  it.each(words)('%s is refused where text and null are possible', (word) => {
    for (const either of eithers)
      for (const text of [`{"note": ${word}}`, `{note: ${word}, n: 5}`, `{"n": 5, "note": ${word}}`])
        expect(mendWith(closed({ note: either, n: { type: 'integer' } }), text)).toMatchObject({
          status: 'invalid',
          problems: [{ path: ['note'], code: 'ambiguous' }],
        });
    const list: JsonSchema = { type: 'array', items: note };
    expect(mendWith(closed({ list }), `{"list": ["a", ${word}]}`).status).toBe('invalid');
  });

  it.each(words)('guard: %s is text where only text is possible, and in quotes', (word) => {
    expect(mendWith(closed({ note: string }), `{"note": ${word}}`).input).toEqual({ note: word });
    expect(mendWith(closed({ note }), `{note: "${word}"}`).input).toEqual({ note: word });
    expect(mendWith(closed({ note }), `{'note': '${word}', }`).input).toEqual({ note: word });
  });

  it('guard: is a fixed word of the schema', () => {
    for (const mode of modes) expect(mendWith(closed({ mode }), '{"mode": none}').input).toEqual({ mode: 'none' });
  });

  it.each(['None', 'NULL', 'Null', 'undefined'])('guard: %s is null', (word) => {
    expect(mendWith(closed({ note }), `{"note": ${word}}`).input).toEqual({ note: null });
  });

  it.each(['nothing', 'nonesuch', 'none-of-these', 'nile', 'a/n'])('guard: %s is text', (word) => {
    expect(mendWith(closed({ note }), `{"note": ${word}}`).input).toEqual({ note: word });
  });
});

describe('a word for null among quoted strings, or in a program', () => {
  const schema = closed({
    path: string,
    pattern: string,
    ids: { type: 'array', items: string },
    n: { type: 'integer' },
  });

  it.each([
    '{"path"=>nil, "pattern"=>"*.tmp"}',
    '{path: nil, pattern: "*.tmp"}',
    "{path: nil, pattern: '*.tmp'}",
    '{pattern: "*.tmp", path: nil}',
    '{path = nil, pattern = "*.tmp"}',
    '{"ids"=>[nil]}',
    '{"ids": ["a", nil]}',
    '{"path": none, "pattern": "*.tmp"}',
    '```ruby\n{path: nil, pattern: "*.tmp"}\n```',
  ])('is no text: %s', (text) => {
    for (const effect of ['read', 'write', 'destructive'] as const)
      expect(mendWith(schema, text, { effect })).toMatchObject({
        status: 'invalid',
        problems: [{ code: 'ambiguous' }],
      });
  });

  it.each(['{"path": nil}', '{path: nil, pattern: tmp}'])('guard: is text in %s, but not surely', (text) => {
    expect(mendWith(schema, text, { effect: 'write' }).input).toMatchObject({ path: 'nil' });
    expect(mendWith(schema, text, { effect: 'destructive' }).status).toBe('invalid');
  });

  it('guard: is a fixed word of the schema', () => {
    const modes = closed({ mode: { enum: ['none', 'all'] }, path: string });
    expect(mendWith(modes, '{"mode": none, "path": "a"}').input).toEqual({ mode: 'none', path: 'a' });
  });

  it.each([
    ['{"path": nile, "pattern": "*.tmp"}', 'nile'],
    ['{"path": "nil", "pattern": "*.tmp",}', 'nil'],
    ['{"path"=>"nil"}', 'nil'],
  ])('guard: other text is sure: %s', (text, path) => {
    expect(mendWith(schema, text, { effect: 'destructive' }).input).toMatchObject({ path });
  });
});
