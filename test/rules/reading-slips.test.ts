import { describe, expect, it } from 'vitest';
import { boolean, closed, integer, mendWith, string, strings } from './mend-with.ts';

const fields = closed({
  a: string,
  b: string,
  n: integer,
  on: boolean,
  list: strings,
  inner: closed({ c: string, tags: strings }),
  rows: { type: 'array', items: closed({ old: string, new: string }) },
});

const raw = String.raw;

/** Texts with two readings, by what makes them so. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'a bracket that slipped over a quote': [
    '{"list": ["a@x.y]", "a": "s"}',
    '{"list": ["first", "last]"}',
    '{"list": ["a", "b}"]',
    '{"inner": {"tags": ["a", "b]"}, "n": 5}',
    '{"rows": [{"old": "a", "new": "b}"]}',
    '{"a": "x = ["], "b": "y"}',
    '{"a": "items[0"], "b": "y"}',
    '{"a": "x = []"], "b": "y"}',
    '{"a": "if (x) {"}}',
  ],
  'quotes around some items of a list: its own, or the text’s': [
    '{"list": [New York, \'Single quoted\']}',
    '{"list": [max_lens, “Curly”]}',
    '{"list": [“Curly”, max_lens]}',
    "{list: [a, 'b']}",
    "{list: [a, b, 'c', d]}",
    '{"list": [a, `b`]}',
    '{"list": "[max_lens, “Curly”]"}',
    '{"inner": {"tags": [x y, \'z\']}}',
  ],
  'a key with one quote behind a comma that may belong elsewhere': [
    `{"a":"x.txt',";b":"y"}`,
    `{"a":"x.txt',",b":"y"}`,
    `{"a":"x";b":"y"}`,
  ],
  'a comma or colon that slipped over a quote': ['{"a"":ls"}', '{"a": "x", "b"":https://x.y"}'],
  'lines that are comments or more of the text': [
    '{"a": # one,\n# two\n"on": true}',
    '{"a": two words\n# more\n, "b": "x"}',
  ],
  'a comment or the text before quotes': [
    '{"a": # header\n"doc"\n}',
    '{"a": # header\n"""doc"""\n}',
    '{"a": // the path\n"x"}',
    '{"a": /* reset */\n"x"}',
    '{"a": /* reset */ "x"}',
  ],
  'an apostrophe behind a backslash': [
    raw`{"a":"rm Bob\'s.txt"}`,
    raw`{"a":"echo it\'s fine"}`,
    raw`{\"a\":\"it\'s\"}`,
    raw`{"a":"can\'t","b":"cannot"}`,
    raw`{"list":["don\'t"]}`,
  ],
  'one quote behind three backslashes': [raw`{"a":"a\\\"b",}`, raw`{'a':"say \\\"x"}`, raw`{a:"5\\\" pipe"}`],
  'a quote too many behind a key that would be dropped': ['{"a": "he wrote x", "why": good"}'],
};

describe.each(Object.entries(refused))('Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) =>
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'validation' }),
  );
});

/** Texts of the same kinds that were refused before. */
const refusedBefore: Readonly<Record<string, readonly string[]>> = {
  'quotes around some items of a list: its own, or the text’s': ['{"list": "[New York, \'Single quoted\']"}'],
  'a bracket that slipped over a quote': ['{"list": "[a@x.y"], "a": "s"}'],
  'a comma or colon that slipped over a quote': [
    '{"a":"ls","b":"/x"",n":30}',
    '{"list": ["x"",y"]}',
    '{"a":"x"",b":"y"}',
  ],
  'lines that are comments or more of the text': [
    '{"a": # setup\n# second line\n, "on": true}',
    '{"a": // header\n// more\n}',
    '{"a": #\n# x\n}',
    '{"a": # Title\n## Sub\n}',
  ],
  'a quote too many behind a key that would be dropped': ['{"a": "x", "note": true"}'],
};

describe.each(Object.entries(refusedBefore))('guard: Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) =>
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'validation' }),
  );
});

describe('Reading: a missing colon is inferred', () => {
  it.each(['{"inner": {"c" "v"}}', '{"a" "x", "b" "y"}', '```json\n{"a" "x"}\n```'])('%j', (text) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended' });
    expect(mendWith(fields, text, { effect: 'destructive' })).toMatchObject({ status: 'invalid' });
  });
});

/** What looks like the above, and has one reading. */
const read: readonly (readonly [text: string, input: unknown])[] = [
  ['{"list": ["a@x.y", "a[0]"}', { list: ['a@x.y', 'a[0]'] }],
  ['{"list": ["a@x.y", "a": "s"}', { list: ['a@x.y'], a: 's' }],
  ['{"inner": {"c": "f(x) {}"}', { inner: { c: 'f(x) {}' } }],
  ['{"a": "if (x) {}"}}', { a: 'if (x) {}' }],
  ['{"a": "x" "b": "y"}', { a: 'x', b: 'y' }],
  ['{"list": [a, "b"]}', { list: ['a', 'b'] }],
  ['{"list": ["b", a_c]}', { list: ['b', 'a_c'] }],
  ["{list: [1, 'x', true]}", { list: ['1', 'x', 'true'] }],
  ["{list: ['x', 'y'], a: z}", { list: ['x', 'y'], a: 'z' }],
  ["{list: [x, y], a: 'z'}", { list: ['x', 'y'], a: 'z' }],
  ["{a: New York, b: 'x'}", { a: 'New York', b: 'x' }],
  ["{a: fast, b: 'x', n: 5}", { a: 'fast', b: 'x', n: 5 }],
  ['{"a":"x",b":"y"}', { a: 'x', b: 'y' }],
  ['{"a":"int x;",b":"y"}', { a: 'int x;', b: 'y' }],
  ['{"a":"x";"b":"y"}', { a: 'x', b: 'y' }],
  ['{"a": ":wq",}', { a: ':wq' }],
  ['{"a": ", then",}', { a: ', then' }],
  ['{"a": #fff, "b": "x"}', { a: '#fff', b: 'x' }],
  ['{"a": //server/share, "b": "x"}', { a: '//server/share', b: 'x' }],
  ['{"list": [#fff, #000]}', { list: ['#fff', '#000'] }],
  ['{"a": "x", # note\n "b": "y"}', { a: 'x', b: 'y' }],
  ['{"n": // the count\n 5}', { n: 5 }],
  ['{"inner": // the rest\n {"c": "x"}}', { inner: { c: 'x' } }],
  ['{\n  // the path\n  "a": "x"}', { a: 'x' }],
  ['{"list": [ // first\n "x"]}', { list: ['x'] }],
  [raw`{'a': 'it\'s'}`, { a: "it's" }],
  [raw`{"a": "it's",}`, { a: "it's" }],
  [raw`{"a": "\d+",}`, { a: raw`\d+` }],
  [raw`{"a": "say \"x \\\"y\\\"\"",}`, { a: raw`say "x \"y\""` }],
];

describe('guard: Reading keeps text with one reading', () => {
  it.each(read)('%j', (text, input) => expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input }));
  it('one quote after three backslashes is plain JSON', () =>
    expect(mendWith(fields, raw`{"a":"5\\\" pipe"}`)).toMatchObject({ status: 'ok', input: { a: raw`5\" pipe` } }));
});
