import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendValue } from '../../src/mend/mend-value.ts';
import { boolean, closed, integer, mendWith, string, strings, told } from './mend-with.ts';

const fields = closed({
  a: string,
  b: string,
  n: integer,
  on: boolean,
  list: strings,
  inner: closed({ c: string }),
  open: { type: 'object', properties: { c: string, b: string } },
  either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
});

/** The text, what it is read as (nothing: it must be refused), and the certainty of the least sure repair. */
type Row = readonly [text: string, input?: unknown, certainty?: 'lossless' | 'inferred'];

function check([text, input, certainty]: Row): void {
  const outcome = mendWith(fields, text);
  if (input === undefined) {
    expect(told(outcome)).toMatchObject({ status: 'invalid', errorType: 'validation' });
    return;
  }
  expect(outcome).toMatchObject({ status: 'mended', input });
  const sure = outcome.repairs.every((repair) => repair.certainty === 'lossless') ? 'lossless' : 'inferred';
  expect(sure).toBe(certainty);
}

const raw = String.raw;

const classes: Readonly<Record<string, readonly Row[]>> = {
  'numbers that JSON writes otherwise, which are text where text is wanted': [
    ['{"n": +5}', { n: 5 }, 'inferred'],
    ['{"n": 0x1F}', { n: 31 }, 'inferred'],
    ['{"n": -0x5}', { n: -5 }, 'inferred'],
    ['{"n": 0b101}', { n: 5 }, 'inferred'],
    ['{"n": 0o17}', { n: 15 }, 'inferred'],
    ['{"n": 1_000}', { n: 1000 }, 'inferred'],
    ['{"n": 5.}', { n: 5 }, 'inferred'],
    ['{"n": .5e1}', { n: 5 }, 'inferred'],
    ["{'n': 1_000, 'on': True}", { n: 1000, on: true }, 'inferred'],
  ],
  'a comma too many between members, where one may have been lost': [
    ['{"a": "x",, "b": "y"}', { a: 'x', b: 'y' }, 'inferred'],
    ['{"a": "x", , "b": "y"}', { a: 'x', b: 'y' }, 'inferred'],
    ['{"a": "x",\n,\n"b": "y"}', { a: 'x', b: 'y' }, 'inferred'],
    ['{, "a": "x"}', { a: 'x' }, 'inferred'],
    ['{"a": "x",,}', { a: 'x' }, 'inferred'],
    ['{"inner": {"c": "x",,}, "a": "y"}', { inner: { c: 'x' }, a: 'y' }, 'inferred'],
  ],
  'comments and what looks like them': [
    ['{"a": see issue #5}', { a: 'see issue #5' }, 'inferred'],
    ['{"a": #fff, "b": "x"}', { a: '#fff', b: 'x' }, 'inferred'],
    ['{"a": //server/share, "b": "x"}', { a: '//server/share', b: 'x' }, 'lossless'],
    ['{\n"a": hello // greeting\n}', { a: 'hello // greeting' }, 'inferred'],
    ['{\n"a": # Heading\n}', { a: '# Heading' }, 'inferred'],
    ['{"list": [#fff, #000]}', { list: ['#fff', '#000'] }, 'inferred'],
    ['{"n": 5 // five\n}', { n: 5 }, 'inferred'],
    ['{"a": // the path\n "x"}'],
    ['{"n": // the count\n 5}', { n: 5 }, 'inferred'],
    ['{a: # yes\ntrue}'],
    ['{"a": # one\n2}'],
  ],
  'values without quotes': [
    ['{"a": hello world}', { a: 'hello world' }, 'inferred'],
    ['{a: hello world}', { a: 'hello world' }, 'inferred'],
    ['{"a": salt & pepper}', { a: 'salt & pepper' }, 'inferred'],
    ['{"a": getPath()}'],
    ['{"a": os.path.join(x, y)}'],
    ['{"a": <your path>}'],
    [raw`{"a": C:\temp\x}`],
    ['{"a": ' + '$' + '{HOME}/x}'],
    ['{"a": foo || bar}'],
    ['{"a": x if y else z}'],
    ['{"a": 60*60}'],
    ['{"a": 5 + 3}'],
    ['{"a": `hi $' + '{name}`}'],
  ],
  'colons and the first quote': [
    ['{"a"::wq!"}'],
    ['{"a"::wq}'],
    ['{"a"::5 pm"}'],
    ['{"a"::5}'],
    ['{"n": 1, "a:""</content>"'],
  ],
  'text without quotes that may hold what stands around it': [
    ['{"a": hello world}', { a: 'hello world' }, 'inferred'],
    ['{"a": ends with a comma,}'],
    ['{"a": ends with a comma,, "b": "x"}'],
    ['{"a": ends with a brace }}'],
    ['{"a": ends with a brace }, "b": "x"}'],
    ['{"a":    * indented text}'],
    ['{"open": {"c": else\n\tNB="", "b": "x"}}'],
  ],
  'strings side by side that may be keys': [
    ['{"a": "see " "x.ts"}', { a: 'see x.ts' }, 'inferred'],
    ['{"a" "x", "b" "y"}', { a: 'x', b: 'y' }, 'inferred'],
    ['{"list": ["one " "two"]}'],
    ['{"list": ["one"\n " two"]}'],
    ['{"list": ["one" "two"]}', { list: ['one', 'two'] }, 'inferred'],
  ],
  'a key and its quotes': [
    ['{"a:" «hello», "b": "x"}'],
    ['{"a:" hello", "b": "x"}'],
    ['{"a": "hello,, "b": "x"}'],
    ['{"a": "hello}"'],
    [raw`{'a': 'say \\"hi\\" now'}`],
    [`'{"a": "VALUES ('x', E'y'), ('{\\"k\\": \\"v\\"}', 'it''s')", "n": 3}'`],
  ],
  'lines of keys': [
    ['a: one\nb:\ntwo words'],
    ['a: one\nb:    two words'],
    ['a: two words\n\nb: one'],
    [raw`a: \"one\"\nb: \"two\"`],
    ['a: ＂one＂'],
    ['<a>\ntext\n</a>', { a: 'text' }, 'inferred'],
  ],
  'single quotes inside single quotes': [
    [`{'a': 'it's here now'}`, { a: "it's here now" }, 'inferred'],
    [`{'a': 'log('user %s', b)'}`],
    [`{'a': 'say 'hi' twice'}`],
  ],
  'strings in pieces': [
    ['{"a": "x" + "y"}', { a: 'xy' }, 'inferred'],
    ['{"a": "one " +\n  "two", "b": "z"}', { a: 'one two', b: 'z' }, 'inferred'],
    ['{"a": "x " "y", "b": "z"}', { a: 'x y', b: 'z' }, 'inferred'],
    ['{"list": ["a" + "b", "c"]}', { list: ['ab', 'c'] }, 'inferred'],
    ["{'a': 'first \\\nsecond'}", { a: 'first second' }, 'inferred'],
    ['{"a": "docker run \\\n  -it x"}'],
  ],
  'backslashes of two sorts': [
    [raw`{"a": "snake\_case"}`, { a: 'snake_case' }, 'inferred'],
    [raw`{"a": "it\'s"}`],
    [raw`{'a': '\x1b[0m'}`, { a: '\u001b[0m' }, 'inferred'],
    [raw`{"a": "\_ and \%"}`],
    [raw`{"a": "x = 'it\'s'"}`],
    [raw`{"a": "\/api\.x"}`],
    [raw`{"a": "\\d beside \w"}`],
    [raw`{"a": "\u12"}`],
    [raw`{"a": "C:\users\x"}`],
    [raw`{"a": "\x41"}`],
    [raw`{"a": "say \\\"hi\\\" now",}`],
    [raw`{"a": "console.log("a \"b\" c")"}`],
    [raw`{"a": "printf("x\n") twice"}`],
    ['{"a": "line\nx = \'a\\n\'"}'],
  ],
  'quotes of two sorts': [
    ['{"a": “say "hi" now”}'],
    ['{“a”: “x"}', { a: 'x' }, 'inferred'],
    ['{"a": "x"\n"b": "y"}', { a: 'x', b: 'y' }, 'inferred'],
    ['{"list": ["a" "b"]}', { list: ['a', 'b'] }, 'inferred'],
    ['{"a": ""all of it""}'],
    ['{"a": ““x””}'],
    ['{"list": ("a"\n "b")}'],
    ['{"list": [main，./src]}'],
    [raw`{"a": ${'`'}C:\temp\notes${'`'}}`],
    ['{"list": ["a" 2]}', { list: ['a', '2'] }, 'inferred'],
    ['{"list": ["a" true, "b"]}', { list: ['a', 'true', 'b'] }, 'inferred'],
  ],
  'holes and leading zeros': [
    ['{"list": ["a",,"b"]}'],
    ['{"list": [,"a"]}'],
    ['{"list": ["a",,]}'],
    ['{"n": 007}', { n: 7 }, 'inferred'],
    ['{"either": 007}'],
  ],
  'numbers that may be text': [
    ['{"either": +15550100}'],
    ['{"either": 0x1F}'],
    ['{"either": 5 # five\n}'],
    ['{"a": true #5,\n "b": "x"}'],
    ['{"a": None // old\n}'],
    ['{"list": [+49 30 1234567]}'],
    ['{"list": [1.10; 1.1]}'],
    ['{"list": [90210、01234]}'],
  ],
  'keys that may belong to another object': [
    ['{"a": "x", "open": {"c": "y", "b": "z"}'],
    ['{"a": "x", "open": {"c": "y"], "b": "z"}'],
    ['{"a": "x", "open": {"c": "y"}, "b": "z"}}'],
    ['{"n": 5, "a": "5\' 10"\n\nhttp://localhost/{id}"}'],
  ],
  'signs that may part values or belong to them': [
    ['a: one;\nb: two'],
    ['{"a": It costs 5 } or { so}'],
    ['{"a": r"//server/share/file"\n}'],
    ['{"a": "puts "#{name}: x""\n}', { a: 'puts "#{name}: x"' }, 'inferred'],
    ['{"a": "say 6" # done"\n}', { a: 'say 6" # done' }, 'inferred'],
    ['{"list": ["✅", …, "—"]}'],
    [raw`{"a": ${'`'}print("say \"x\"")${'`'}}`],
  ],
  'an object inside other text': [
    ['Never call this with {"a": "x"}'],
    ['args = {"a": "x"}'],
    ['$ act --args {"a": "x"}'],
    ['- name: step\n  with: {"n": 5}'],
    ['<example>\n{"n": 5}\n</example>'],
    ['<!--\n{"n": 5}\n-->'],
    ['I run `{"n": 5}` now'],
    ['`{"a": "x"}` is what failed'],
    [`curl -d '{"a": "x"}' https://example.com`],
    ['Sure, here it is:\n{"n": 5}', { n: 5 }, 'inferred'],
    ['{"n": 5} and that is all', { n: 5 }, 'inferred'],
  ],
  'text behind a valid object': [
    ['{"a": "x"} — done.', { a: 'x' }, 'inferred'],
    ['{"a": "x"} ✅', { a: 'x' }, 'inferred'],
    ['{"a": "x"}!', { a: 'x' }, 'inferred'],
    ['{"a": "x"} (ok)', { a: 'x' }, 'inferred'],
    ['{"a": "x"} … it\'s done', { a: 'x' }, 'inferred'],
  ],
  'quotes that were not escaped in the last field': [
    ['{"b": "1", "a": "5\'10" tall and 6" wide"}', { b: '1', a: '5\'10" tall and 6" wide' }, 'inferred'],
    ['{"a": "{"name": "x", "version": "1"}"}', { a: '{"name": "x", "version": "1"}' }, 'inferred'],
  ],
  'other forms of the arguments': [
    ['act(a="x", n=5)', { a: 'x', n: 5 }, 'inferred'],
    ['act({"a": "x"})', { a: 'x' }, 'inferred'],
    ['<a>x</a><n>5</n>', { a: 'x', n: 5 }, 'inferred'],
    ['<parameter name="a">x\ny</parameter>', { a: 'x\ny' }, 'inferred'],
    ['<act>\n<a>\nx\n</a>\n</act>', { a: 'x' }, 'inferred'],
  ],
};

describe.each(Object.entries(classes))('Reading: %s', (_, rows) => {
  it.each(rows.map((row) => ({ row, text: JSON.stringify(row[0]) })))('$text', ({ row }) => check(row));
});

describe('guard: Reading: strings in pieces that were refused before', () => {
  it.each(['{"a": "src/" "x.ts"}', '{"a": "x" "y", "b": "z"}'])('%j', (text) => check([text]));
});

const guards: readonly Row[] = [
  ['{"a"::"x"}', { a: 'x' }, 'lossless'],
  ['{"n":: 5, "on":: true}', { n: 5, on: true }, 'lossless'],
  ['{"a:":wq!"}'],
  ['{a: x.txt,}', { a: 'x.txt' }, 'lossless'],
  ['{a: x.txt}}'],
  ['{a: "x.txt"}}', { a: 'x.txt' }, 'lossless'],
  ['{"a" "x" "b" "y"}'],
  ['{"a": "x" "b" "y"}'],
  ['{"a:"hello", "b": "x"}', { a: 'hello', b: 'x' }, 'inferred'],
  ['{"a": "f() {}"', { a: 'f() {}' }, 'inferred'],
  [raw`{'a': 'say "hi" and \\"bye\\"'}`, { a: raw`say "hi" and \"bye\"` }, 'lossless'],
  ['a: one\nb: two words', { a: 'one', b: 'two words' }, 'inferred'],
  ['<a>text\n</a>'],
  ['<a>\ntext</a>'],
  ['{"list": ["x", r"…", "y"]}'],
  ['ath": "src", "inner": {"c": "y"}}'],
  ['{"list": [007, 1.0]}', { list: ['007', '1.0'] }, 'inferred'],
  ['{"a": "x" + y}'],
  ['{"a": "x", "y"}'],
  ['{"a": "x"} and "y"}'],
  ['{"a": "x"} b: y'],
  ['act(a=x)'],
  ['act("x")'],
  ['<a>x</a><zzz>5</zzz>'],
  ['<a>x</a>y</a>'],
  ['{"n": 5 # five\n}', { n: 5 }, 'inferred'],
  ['{"a": +49}', { a: '+49' }, 'inferred'],
  ['{"a": 0x1F}', { a: '0x1F' }, 'inferred'],
  ['{"a": .5}', { a: '.5' }, 'inferred'],
  ['{"a": 5.}', { a: '5.' }, 'inferred'],
  ['{"n": 1e1,}', { n: 10 }, 'lossless'],
  ['{"on": True, "n": -5}', { on: true, n: -5 }, 'lossless'],
  ['{"a": "x", "b": "y",}', { a: 'x', b: 'y' }, 'lossless'],
  ['{"a": "x", "inner": {"c": "y"}, "b": "z"}}', { a: 'x', inner: { c: 'y' }, b: 'z' }, 'lossless'],
  ['{"a": "x", "open": {"c": "y"}, "b": "z"}]', { a: 'x', open: { c: 'y' }, b: 'z' }, 'lossless'],
  ['{"open": {"c": "y", "b": "w"}, "b": "z"', { open: { c: 'y', b: 'w' }, b: 'z' }, 'inferred'],
  ['{"a": "x" // was: "old"\n}', { a: 'x' }, 'inferred'],
  [raw`{"a": "\d+\.ts"}`, { a: '\\d+\\.ts' }, 'lossless'],
  ['{"a": "x\ny"}', { a: 'x\ny' }, 'lossless'],
  ['{"a": "say "hi" to me", "b": "y"}', { a: 'say "hi" to me', b: 'y' }, 'inferred'],
];

describe('guard: already read or refused before', () => {
  it.each(guards.map((row) => ({ row, text: JSON.stringify(row[0]) })))('$text', ({ row }) => {
    const outcome = mendWith(fields, row[0]);
    if (row[1] === undefined) expect(outcome.status).toBe('invalid');
    else check(row);
  });
});

it('Reading: accepts a bare list for a tool whose only parameter is a list', () => {
  expect(told(mendWith(closed({ files: strings }), '["a.ts", "b.ts"]'))).toEqual({
    status: 'mended',
    input: { files: ['a.ts', 'b.ts'] },
    repairs: ['wrapper inferred'],
  });
  expect(mendWith(closed({ files: strings, n: integer }), '["a.ts"]').status).toBe('invalid');
});

it('Reading: the record of a comment contains only the comment', () => {
  const { repairs } = mendWith(fields, '{\n  // why\n  "a": "x", "b": "y"\n}');
  expect(repairs).toMatchObject([{ kind: 'comment', before: '// why', certainty: 'lossless' }]);
});

describe('Reading: structured output', () => {
  it.each<[string, unknown, unknown]>([
    ['<think>Hm, 5?</think>\nhello', z.string(), 'hello'],
    ['<think>red or blue</think>red', z.enum(['red', 'blue']), 'red'],
    ['```\nred\n```', z.enum(['red', 'blue']), 'red'],
    ['Red.', z.enum(['red', 'blue']), 'red'],
    ['```json\n42\n```', z.number(), 42],
    ['<think>so 42</think> 42', z.number(), 42],
    ['Yes.', z.boolean(), true],
  ])('reads %j', (text, schema, value) => expect(mendValue(text, schema)).toHaveProperty('value', value));

  it.each<[string, unknown]>([
    ['See the manual [1] for more.', z.array(z.number())],
    ['<think>still thinking about', z.string()],
  ])('refuses %j', (text, schema) => expect(mendValue(text, schema).status).toBe('invalid'));

  it.each<[string, unknown]>([
    ['hello wor', z.string()],
    ['4', z.number()],
    ['re', z.string()],
    ['red', z.enum(['red', 'blue'])],
  ])('reports %j as truncated if the message ended with length', (text, schema) =>
    expect(mendValue(text, schema, { truncated: true }).problems).toMatchObject([{ code: 'truncated' }]),
  );

  it('limits the size of scalars', () => {
    expect(mendValue('hello', z.string(), { limits: { size: 4 } }).problems).toMatchObject([{ code: 'size' }]);
  });

  async function* pieces(...texts: string[]): AsyncGenerator<string> {
    yield* texts;
  }

  it('checks for truncation when the stream ends', async () => {
    let finish = '';
    async function* source(): AsyncGenerator<string> {
      yield '{"a": "x"';
      finish = 'length';
    }
    const stream = mendValue(source(), undefined, { truncated: () => finish === 'length' });
    expect((await stream.result).problems).toMatchObject([{ code: 'truncated' }]);
  });

  it('reports that the value so far is void', async () => {
    const types: string[] = [];
    for await (const { changes } of mendValue(pieces('{"a": 1}', '</think>', '{"a": 2}')))
      types.push(...changes.map(({ type }) => type));
    expect(types).toEqual(['open', 'set', 'close', 'reset', 'open', 'set', 'close']);
  });

  it.each([
    ['a character cut in two', '{"a": "x\ud83d', '\ude00y"}'],
    ['an escaped one', '{"a": "x\\ud83d', '\\ude00y"}'],
  ])('does not append half of %s', async (_, ...texts) => {
    const appended: string[] = [];
    for await (const { changes } of mendValue(pieces(...texts)))
      for (const change of changes) if (change.type === 'append') appended.push(change.text);
    expect(appended.join('')).toBe('x😀y');
    for (const text of appended) expect(text.isWellFormed()).toBe(true);
  });
});
