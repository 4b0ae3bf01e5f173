/** Words without quotes: what is certain, what is only inferred, and what isn't a value. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string, strings } from './mend-with.ts';

const schema = closed({ path: string, file_path: string, other: string, list: strings });

/** Whether a writing and a destructive tool run. */
const runs = (args: string) =>
  (['write', 'destructive'] as const).map((effect) => mendWith(schema, args, { effect }).status !== 'invalid');

describe('certain', () => {
  it.each([
    '{path: src/a.ts}',
    '{path: 3a}',
    '{path: README}',
    '{path: C:/temp}',
    '{path: a@b.example}',
    '{path: -v}',
    '{list: [src/a.ts, src/b.ts]}',
    '{list: [a, b_c, v1.2]}',
    '{"list": ["a", "b"], path: c}',
    '{list: ["..", "-"]}',
    '{path: pathname}',
  ])('%s', (args) => expect(runs(args)).toEqual([true, true]));
});

describe('inferred', () => {
  it.each([
    ['signs', '{path: .}'],
    ['signs', '{path: ..}'],
    ['signs', '{path: _}'],
    ['signs', '{path: --}'],
    ['signs', '{path: //}'],
    ['signs alone in a list', '{list: [.]}'],
    ['signs alone in a list', '{list: [*]}'],
    ['a word for nothing', '{path: n.a.}'],
    ['a word for nothing', '{list: [a, n.a.]}'],
    ['the end of a sentence', '{path: etc.}'],
    ['the end of a list', '{list: [a, b, etc.]}'],
    ['a word beside quotes', '{list: ["a", etc]}'],
    ['a word beside quotes', '{list: [more, "a"]}'],
    ['a word beside quotes', '{list: [a, "b c"]}'],
    ['its own field', '{path: path}'],
    ['its own field', '{"path": path, "other": "x"}'],
    ['its own field', '{"file_path": filePath}'],
    ['another field', '{path: other}'],
    ['a sign that joins letters', '{path: می\u200cخواهم}'],
    ['a sign that joins letters', '{list: [می\u200cخواهم, b]}'],
    ['a fixed blank', '{path: New\u00a0York}'],
    ['a direction mark', '{path: \u200ea.ts}'],
    ['a direction mark', '{list: [a, \u200eb]}'],
    ['a direction mark behind it', '{list: [a\u200f, b]}'],
    ['a byte order mark', '{list: [\ufeffa, b]}'],
    ['a byte order mark behind it', '{path: a\ufeff}'],
    ['a colour', '{list: [\u001b[31ma\u001b[0m, b]}'],
    ['a colour behind it', '{list: [a\u001b[0m, b]}'],
  ])('%s: %s', (_, args) => expect(runs(args)).toEqual([true, false]));
});

describe('refused', () => {
  it.each([
    '{"list": ["a", .., "z"]}',
    '{"list": ["a", _]}',
    '{"list": ["a", -, "b"]}',
    '{"list": ["a", --]}',
    '{"list": ["a", //]}',
    '{list: [a, .., z]}',
    '{path: string}',
    '{"path": String}',
    '{list: [string]}',
    '{path: string, other: string}',
    '{list: [Smith, John, "Doe, Jane"]}',
    '{"list": ["Doe, Jane", Smith]}',
    '{"list": [Smith, "Doe; Jane"]}',
    '{path: a\u200db}',
    '{list: [New\u00a0York, NY]}',
  ])('%s', (args) => expect(runs(args)).toEqual([false, false]));
});

describe('guard: quoted', () => {
  it.each([
    '{"path": "string"}',
    '{"path": "path"}',
    '{"path": ".."}',
    '{"list": ["Doe, Jane", "Smith"]}',
    '{"list": ["a", "..", "z"],}',
    '{"list": ["\u200ea", "b"],}',
  ])('%s', (args) => expect(mendWith(schema, args).status).not.toBe('invalid'));

  it('the name of a type that is a member runs', () => {
    const typed = closed({ kind: { type: 'string', enum: ['string', 'number'] } });
    expect(mendWith(typed, '{kind: string}', { effect: 'destructive' }).status).toBe('mended');
  });
});

it('marks beside strings, brackets and numbers are no part of a value', () => {
  for (const args of ['\ufeff{"path": "a"}', '{"path":\u200e "a"}', '{"list": ["a"\u200f, "b"]}'])
    expect(runs(args)).toEqual([true, true]);
});
