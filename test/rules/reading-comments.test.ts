/** Comments and pieces inside lists: read alike however the text comes, and refused where they may be items. */
import { describe, expect, it } from 'vitest';
import { readJson } from '../../src/json/read-json.ts';
import { JsonReader } from '../../src/json/reader.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { closed, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ a: string, list: strings, numbers: { type: 'array' } });

describe.each<[what: string, texts: readonly string[]]>([
  [
    'a line in a list that is a comment or an item',
    [
      '{"list": ["user:1",\n//user:2,\n"user:3"]}',
      '{"list": [\n  "user:1",\n  //user:2,\n  "user:3"\n]}',
      '{list: [user:1,\n//user:2,\nuser:3]}',
      '{"list": ["user:1", //user:2,\n"user:3"]}',
      '{"list": [\n//src/old.ts\n]}',
      '{"list": [bug,\n// wontfix,\np1]}',
      '{"list": [bug,\n//wontfix,\np1]}',
      '{"list": [\n#bug,\n"p1"\n]}',
      '{"list": ["a",\n#b,\n"c"]}',
      '{"numbers": [1,\n//2,\n3]}',
      '{"numbers": [1,\n#2,\n3]}',
      '{"list": ["x",\n// note,\n"y"]}',
      '{"list": ["x",\n  # Title,\n  "y"\n]}',
      '{"list": ["x",\n# Title\\n\\ntext",\n"y"]}',
      '{"list": [\n  "see issue",\n  // note\n]}',
      '{"list": [\n  "see issue",\n  // note"\n]}',
      '{"list": [\n// none yet\n]}',
      '{"list": [\n# none yet"\n]}',
      '{"list": [ /* none yet */ ]}',
      '{"list": [\n// Title,\n"a"]}',
    ],
  ],
  [
    'strings side by side in a list of Python',
    [
      "{'list': ['src/very/long/'\n 'path.ts', 'b.ts']}",
      "{'list': ['2024-' '01-05']}",
      "{'a': 'x', 'list': ['vip' 'berlin']}",
      "{'list': [\"vip\" 'berlin']}",
      '{\'list\': ["it\'s" "so"]}',
      "{'list': \"['a.ts' 'b.ts']\"}",
      `{"list": ["Don't forget: D'Angelo" "'s budget isn't final."]}`,
      `{"list": ["it's 'f"\n    "ine'"]}`,
    ],
  ],
  [
    'a backslash at the end of a line in JSON quotes',
    ['{"a": "echo a\\\nb"}', '{"a": "make \\\n  all"}', '{"a": "#define X \\\r\n1"}', '{"list": ["one \\\ntwo"]}'],
  ],
  [
    'a backslash before an underscore in a quotation',
    [
      `{"a": "SELECT * FROM t WHERE k LIKE 'a\\_b'"}`,
      `{"a": "LIKE '%\\_id' AND x = 1"}`,
      '{"a": "run `my\\_task` now"}',
    ],
  ],
])('Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) => {
    const { status, ...rest } = mendWith(fields, text);
    expect({ status, ...rest }).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

describe('guard: Reading: similar texts', () => {
  it.each<[string, unknown, 'lossless' | 'inferred']>([
    ['{"list": ["a",\n// b\n"c"]}', { list: ['a', 'c'] }, 'lossless'],
    ['{"list": ["a",\n// "b",\n"c"]}', { list: ['a', 'c'] }, 'lossless'],
    ['{"list": ["a",\n# b\n"c"]}', { list: ['a', 'c'] }, 'lossless'],
    ['{"list": [\n// paths\n"a"]}', { list: ['a'] }, 'lossless'],
    ['{"numbers": [\n// one, two,\n1, 2]}', { numbers: [1, 2] }, 'lossless'],
    ['{"list": [ /* first */ "a"]}', { list: ['a'] }, 'inferred'],
    ['{"list": ["a", // first\n"b"]}', { list: ['a', 'b'] }, 'inferred'],
    ['{"list": [#fff, #000]}', { list: ['#fff', '#000'] }, 'inferred'],
    ['{"list": ["a" "b"]}', { list: ['a', 'b'] }, 'inferred'],
    ["{'a': 'one \\\ntwo'}", { a: 'one two' }, 'inferred'],
    ['{"a": "snake\\_case"}', { a: 'snake_case' }, 'inferred'],
    ['{"a": "don\'t rename a\\_b, it\'s used"}', { a: "don't rename a_b, it's used" }, 'inferred'],
    ["{'list': ['a', 'b',]}", { list: ['a', 'b'] }, 'lossless'],
  ])('%j', (text, input, certainty) => {
    const outcome = mendWith(fields, text);
    expect(outcome).toMatchObject({ status: 'mended', input });
    const worst = outcome.repairs.some((repair) => repair.certainty === 'inferred') ? 'inferred' : 'lossless';
    expect(worst).toBe(certainty);
  });
});

describe('guard: Reading: refuses adjacent strings in a Python list', () => {
  it.each(["act(list=['vip' 'berlin'])", "['a' 'b']"])('%j', (text) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

const plain: readonly string[] = ['[\n// only\n]', '[#fff, #000]', '[\n#fff,\n#000\n]', '{"a": 5 # c\n}'];
const commented: readonly string[] = [
  '[1,\n// 2,\n3]',
  '[1,\n# 2\ntrue]',
  '{"a":[null,\n// x\n-1.5e3]}',
  '[1,\n//2\n]',
  '[1, // one\n2]',
  '[1 /* x */, 2]',
  '[1,\n/* two */\n3]',
  '[true,\n/* x */ false]',
  '[bug,\n// wontfix,\np1]',
  '["a",\n// b,\n"c"]',
  '["a",\n//b,\n"c"]',
  '[[1],\n// 2\n[3]]',
  '[{"a":1},\n# two\n{"a":2}]',
  '{"a":\n// note\n5}',
  '{"a": // note\ntrue, "b": 2}',
  '{a: # note\n12, b: 2}',
  '{"a": 1, // one\n"b": 2}',
  '{"a": 1,\r\n// one\r\n"b": 2}',
  '{"a": "x" /* c */, "b": 1}',
  '[1,\n// a comment that goes on and on for more than eighty characters, and whose record is shortened\n2]',
  `[1,\n// ${'x'.repeat(75)}${' '.repeat(30)}y\n2]`,
];

/** Applies changes as one who watches the text come does. */
function watch(chunks: readonly string[]) {
  const reader = new JsonReader();
  let seen: JsonValue | undefined;
  for (const chunk of chunks)
    for (const change of reader.push(chunk)) {
      if (change.type === 'reset') seen = undefined;
      if (change.type === 'reset' || change.type === 'close') continue;
      const value =
        change.type === 'open'
          ? Array.isArray(change.value)
            ? []
            : {}
          : change.type === 'set'
            ? change.value
            : change.text;
      const key = change.path.at(-1);
      let holder = seen as Record<string | number, JsonValue>;
      for (const step of change.path.slice(0, -1)) holder = holder[step] as Record<string | number, JsonValue>;
      if (key === undefined) seen = value;
      else holder[key] = change.type === 'append' ? `${holder[key]}${value}` : value;
    }
  const soFar = JSON.stringify(reader.value);
  const { value, repairs, problems } = reader.end();
  return { seen: JSON.stringify(seen), soFar, value, repairs, problems };
}

describe.each([
  ['', commented],
  ['guard: ', plain],
])('%sReading: a comment reads the same however the text is split', (_, texts) => {
  it.each(texts)('%j', (text) => {
    const { value, repairs, problems } = readJson(text);
    const cuts = [[...text], ...[...text].map((_, at) => [text.slice(0, at), text.slice(at)])];
    for (const chunks of cuts) {
      const { seen, soFar, ...whole } = watch(chunks);
      expect({ chunks, ...whole }).toEqual({ chunks, value, repairs, problems });
      expect({ chunks, seen }).toEqual({ chunks, seen: soFar });
    }
  });
});

it('records the complete comment', () =>
  expect(readJson('{"a": 1, // the first of them all, with 50 characters and more\n"b": 2}').repairs).toMatchObject([
    { kind: 'comment', before: '// the first of them all, with 50 characters and more' },
  ]));
