import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, string, strings } from './mend-with.ts';

const integer = { type: 'integer' } as const;
const fields = closed({
  path: string,
  content: string,
  overwrite: { type: 'boolean' },
  n: integer,
  tags: strings,
  items: { type: 'array' },
  options: closed({ name: string, force: { type: 'boolean' } }),
});
const edits = closed({
  path: string,
  edits: { type: 'array', items: closed({ old: string, new: string }, ['old', 'new']) },
});
const nullable = closed({ cwd: { type: ['string', 'null'] }, n: integer });
const values = closed({ key: string, value: { type: ['string', 'number', 'array', 'object'] } });

const refuses = (schema: JsonSchema, args: unknown) =>
  expect(mendWith(schema, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
const reads = (schema: JsonSchema, args: unknown, input: object) =>
  expect(mendWith(schema, args)).toMatchObject({ status: 'mended', input });

describe('a quote inside a string that stands for another character, or is superfluous', () => {
  it.each([
    ['{"content": "202"-01-05"}'],
    ['{"content": "05"/01/2024"}'],
    ['{"content": "1".0"}'],
    ['{"content": "v2".0.0-rc.1"}'],
    ['{"content": "+49" (0) 170 123-4567"}'],
    ['{"content": "s3://bucket/part-000".parquet"}'],
    ['{"content": "docker run node:20" npm test"}'],
    ['{"content": "UPDATE t SET age = 5" WHERE id"}'],
    ['{"content": "head -n 5" notes"}'],
    ['{"content": "2024" report"}'],
    ['{"content": "LISTEN 0" 128 [::]"}'],
    ['{"path": "a", "content": ""Yes, he said ""no"?"}'],
    ['{"tags": ["say \\"a\\" loud."."(b) c"]}'],
    ['{"tags": ["run 2>&"1,"//b"]}'],
  ])('%s is refused', (args) => refuses(fields, args));

  it.each([
    ['{"content": "a 27" screen"}', 'a 27" screen'],
    ['{"content": "24-27" monitors"}', '24-27" monitors'],
    ['{"content": "a 5\'11" person"}', 'a 5\'11" person'],
    ['{"content": "3/4" bolt, 2 pieces"}', '3/4" bolt, 2 pieces'],
    ['{"content": "about 6.5" wide"}', 'about 6.5" wide'],
    ['{"content": "the 15"-inch laptop"}', 'the 15"-inch laptop'],
    ['{"content": "a (6") pipe"}', 'a (6") pipe'],
    ['{"content": "a 27" 4K screen"}', 'a 27" 4K screen'],
  ])('guard: %s is a measure', (args, content) => reads(fields, args, { content }));
});

describe('a comment beside other tokens that lost its line break', () => {
  it.each([
    ['{"path": "a", // the path "overwrite": true,\n"content": "x"}'],
    ['{"path": "a", "content": "x", # keep it "overwrite": true\n}'],
    ['{"path": "a", /* note "overwrite": true, */ "content": "x"}'],
    ['{"tags": ["a", // then "b",\n"c"]}'],
    ['{\n"tags": [\n# Title \\"x\\"",\n"b"\n]}'],
    ['{\n"tags": [\n# Title \\"x\\",\n"b"\n]}'],
    ['{"items": [{"id": 1}, // then {"id": 2},\n{"id": 3}]}'],
    ['{"options": {"name": "x" // set "force": true\n}}'],
    ['{"tags": [\n"a",\n// was "b",\n"c"\n]}'],
    ['{\n"path": "a",\n// and set "overwrite": true,\n"content": "x"\n}'],
    ['{\n"items": [\n// nothing here",\n1\n]}'],
  ])('%j is refused', (args) => refuses(fields, args));

  it.each([
    ['{"path": "a", // the "main": file\n"content": "x"}', { path: 'a', content: 'x' }],
    ['{"path": "a", // "overwrite": true,\n"content": "x"}', { path: 'a', content: 'x' }],
    ['{"path": "a", "overwrite": true, // sets "overwrite": yes\n"content": "x"}', { path: 'a', overwrite: true }],
    ['{"items": [{"id": 1}, // {"id": 2},\n{"id": 3}]}', { items: [{ id: 1 }, { id: 3 }] }],
    ['{"tags": [\n"a",\n// "b",\n"c"\n]}', { tags: ['a', 'c'] }],
    ['{\n// "overwrite": true,\n"path": "a"}', { path: 'a' }],
    ['{"tags": ["a", // "b",\n"c"]}', { tags: ['a', 'c'] }],
  ])('guard: %j is a comment', (args, input) => reads(fields, args, input));
});

describe('a bracket that became another character', () => {
  it.each([
    [edits, '{"path": "a", "edits": [\n]\n"old": "x", "new": "y"}]}'],
    [edits, '{"path": "a", "edits": [{"old": "x", "new": "y"},\n]\n"old": "y", "new": "z"}]}'],
    [values, '{"key": "k", "value": 0\n"a": "x", "b": 1}}'],
    [fields, '{"path": "a",#  "meta": {\n"x": "y"\n}\n}'],
    [values, '{"key": "k", "value": ["a", 1\n{   ]}'],
    [fields, '{"content": "if (a) { b(); "}, "path": "a"}'],
    [fields, '{"tags": [ends with a bracket]]}'],
    [fields, '{tags: [a, b]]}'],
    [fields, '{"tags": [a]]}'],
    [fields, '{"tags": [a]}}'],
    [fields, '{"tags": ["a", b]]}'],
    [fields, '{"tags": [a]], "path": "x"}'],
    [fields, '{"path": "b2.txt", "content": x}}'],
    [fields, '{"path": "b2.txt", "content": x}]'],
    [fields, '{"content": x}, "path": "b2.txt"}'],
    [fields, '{"content": -}}'],
    [fields, '{"path": src/a.ts\n}\n}'],
    [fields, '{"path": a}}}'],
    [fields, '```json\n{"path": a}}\n```'],
    [fields, '{"path": a}}{"path": a}}'],
    [fields, '{"options": {"name": a}}}'],
  ])('%j: %s is refused', (schema, args) => refuses(schema, args));

  it.each([
    [fields, '{"path": "a", "content": "x"}}', { path: 'a', content: 'x' }],
    [fields, '{"path": "a", "content": "x"}]', { path: 'a', content: 'x' }],
    [fields, '{"path": "a", "note": "x"}}', { path: 'a' }],
    [fields, '{tags: ["a", "b"]]}', { tags: ['a', 'b'] }],
    [fields, '{path: src/a.ts, content: "x"}}', { path: 'src/a.ts', content: 'x' }],
    [fields, '{tags: [a], path: "x"}}', { tags: ['a'], path: 'x' }],
    [fields, '{"path": a, "overwrite": True}}', { path: 'a', overwrite: true }],
    [fields, '{"path": a, "n": 5}}', { path: 'a', n: 5 }],
    [fields, '{"content": "b(); "}, "path": "a"}', { content: 'b(); ', path: 'a' }],
  ])('guard: %j: %s has a superfluous bracket', (schema, args, input) => reads(schema, args, input));
});

describe('words that may stand for null or none', () => {
  it.each([['nul'], ['nulll'], ['nnull'], ['unll'], ['null.'], ['.null']])('%s without quotes is refused', (word) =>
    refuses(nullable, `{"cwd": ${word}, "n": 1}`),
  );

  it.each([['nuls'], ['nulled'], ['noll'], ['full'], ['annul']])('guard: %s is a word', (cwd) =>
    reads(nullable, `{"cwd": ${cwd}, "n": 1}`, { cwd }),
  );

  it.each([['no'], ['No'], [' no ']])('%j is no list of one', (tags) => refuses(fields, { tags }));

  it('guard: except for a fixed word', () => {
    const schema = closed({ languages: { type: 'array', items: { enum: ['no', 'en'] } } });
    reads(schema, { languages: 'no' }, { languages: ['no'] });
  });
});

describe('keys close to a property', () => {
  it.each([[' n'], ['n '], ['(n'], ['#n']])('%j is not dropped', (key) => refuses(fields, { path: 'a', [key]: 1 }));

  it.each([
    ['context', 'content'],
    ['parent', 'patent'],
    ['prices', 'prizes'],
  ])('%s is not %s, which may be missing', (key, property) =>
    refuses(closed({ id: string, [property]: string }), { id: 'a', [key]: 'x' }),
  );

  it.each([
    ['context', 'content'],
    ['consent', 'content'],
  ])('guard: %s is %s, which is required', (key, property) =>
    reads(
      closed({ id: string, [property]: string }, [property]),
      { id: 'a', [key]: 'x' },
      {
        id: 'a',
        [property]: 'x',
      },
    ),
  );

  it.each([['contnet'], ['contents'], ['conten'], ['contant']])('guard: %s is a misspelled content', (key) =>
    reads(fields, { path: 'a', [key]: 'x' }, { path: 'a', content: 'x' }),
  );
});

describe('a word without quotes that ends in a point, where the comma is missing', () => {
  it.each([['{"path": src/a.txt.\n"content": "x"}'], ['{"path": "a", "content": done.\n"n": 1}']])(
    '%j is refused',
    (args) => refuses(fields, args),
  );

  it.each([
    ['{"content": "Done."\n"n": 1}', { content: 'Done.', n: 1 }],
    ['{"path": src/a.txt\n"n": 1}', { path: 'src/a.txt', n: 1 }],
  ])('guard: %j is read', (args, input) => reads(fields, args, input));
});
