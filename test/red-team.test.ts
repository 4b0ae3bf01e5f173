import { describe, expect, it } from 'vitest';
import { mend } from '../src/mend/mend.ts';
import { tool } from '../src/tools/tool.ts';
import { Toolbox } from '../src/tools/toolbox.ts';

const list = (items: object) => ({ type: 'array', items }) as const;
const text = { type: 'string' } as const;
const node = { type: 'object', properties: { name: text, items: list(text) } } as const;
const trip = {
  type: 'object',
  properties: {
    city: text,
    days: { type: 'integer' },
    tags: list(text),
    opts: { type: 'object', properties: { a: { type: 'integer' }, b: text } },
    pts: list(list({ type: 'number' })),
    nodes: list(node),
    either: { anyOf: [list({ type: 'integer' }), list(text)] },
  },
} as const;
const tree = { type: 'object', properties: { name: text, meta: { $ref: '#' } }, required: ['name'] } as const;
const post = {
  type: 'object',
  properties: { url: text, headers: { type: 'object', additionalProperties: text }, retries: { type: 'integer' } },
} as const;
const toolbox = new Toolbox(
  [
    tool({ name: 'trip', description: 'd', inputSchema: trip }),
    tool({ name: 'tree', description: 'd', inputSchema: tree }),
    tool({ name: 'send', description: 'd', inputSchema: post }),
    tool({ name: 'erase', description: 'd', effect: 'destructive', inputSchema: trip }),
  ],
  { validate: false },
);
const judge = (name: string, given: unknown) => mend({ name, arguments: given }, toolbox);

describe('what looked like one reading and was not', () => {
  it.each([
    ['an inner object of text that is no JSON', 'tree', '{""name":"r","meta":{"name":"m"}}'],
    ['an inner object of a Python call', 'trip', 'go(city="x", opts={"a":3})'],
    ['an inner object of tagged text', 'trip', '<parameter name="zzz">{"a":3}</parameter>'],
    ['a list of calls before one more', 'erase', '[{"city":"a"},{"city":"b"}]\n{"city":"c"}'],
    ['a list right behind the object', 'trip', '{"city":"P","pts":[[1,2]]}[[3,4]]}'],
    ['a number that goes on behind a bracket', 'trip', '{"city":"P","days":4}8}'],
    ['a field behind the object', 'trip', '{"days":5} city: "x"'],
    ['a comment that swallows the rest', 'trip', '{"city":"Paris" // the city , "days":3}'],
    ['a quote too many before a key', 'trip', '{"city":"Paris",""days":3}'],
    ['a quote left over at the end', 'trip', '{"opts":{"a":1,"b":"x"}"}'],
    ['another quote at the end than at the start', 'trip', `{"city":"Paris',"days":3}`],
    ['a quotation without quotes around', 'trip', `{city: say 'hi', days: 3}`],
    ['a string with a prefix', 'trip', `{'city': b'Paris'}`],
    ['half a quotation in a list', 'trip', '{"tags":["a b",c,d"]}'],
    ['entities for quotes', 'trip', '{"city":&quot;Paris&quot;}'],
    ['rows whose bracket is missing', 'trip', '{"pts":[[1,2],3,4]]}'],
    ['entities for some quotes, or in plain text', 'trip', '{&quot;city&quot;: &quot;<b> &amp; "c"&quot;}'],
    ['a full-width list', 'trip', '{"city": "x", "tags": ［］}'],
    ['an attribute nobody knows', 'trip', '<trip city="x" zone="y"/>'],
    ['fields parted by &', 'trip', 'city=Paris&days=3'],
    ['a comma inside the quotes', 'trip', '{"city":"Paris," "days":3}'],
    ['a comma inside the quotes of an item', 'trip', '{"tags":["a," "b"]}'],
    ['a quotation whose closing quote is forgotten', 'trip', '{"city":"“Paris”, "days":3}'],
    ['a bracket before a forgotten quote', 'trip', '{"opts":{"b":"x}, "days":3}'],
    ['a bracket that may belong to words', 'trip', '{city: the rest], days: 3}'],
    ['a bracket left open in words', 'trip', '{city: a (b, days: 3}'],
    ['a key nobody knows behind words', 'trip', '{city: Paris and more, agenda: food, days: 3}'],
    ['a key of full-width signs behind words', 'trip', '{city: 中文，测试：好, days: 3}'],
    ['something left out behind a literal', 'trip', '{city: null, ..., days: 3}'],
    ['a key in a list of texts', 'trip', '{"tags": [env: prod, team: x]}'],
    ['a list that ends too early', 'trip', `{'tags': ['(a)'], '(b)']}`],
    ['a share with one backslash for two', 'trip', String.raw`{"city": "\\server\share\x"}`],
    ['a folder that reads as a character', 'trip', String.raw`{"city": "C:\Users\u1234\x"}`],
    ['a curly quote and a colon in a key', 'trip', '{"opts":{"b x”: "true"}}'],
    ['a declared key in a map left open', 'send', '{"url":"x","headers":{"A":"b","retries":"5"}'],
    ['semicolons in words and between keys', 'trip', '{city: a; b; days: 3}'],
    ['commas inside braces of bare words', 'trip', '{"city": **/*.{ts,tsx}, "days": 3}'],
  ])('%s is refused', (_, name, given) => expect(judge(name, given).status).toBe('invalid'));

  it.each(['<tags>\na\nb\n</tags>', '<tags>a, b</tags>', '<tag n="a"/>', '<tag>a</tag><tog>b</tog>', "'a'"])(
    '%j for a list of texts is no list of one',
    (tags) => expect(judge('trip', { tags }).status).toBe('invalid'),
  );
});

describe('what has one reading', () => {
  it.each<[string, unknown, unknown]>([
    ['lines with an object', 'city: x\nopts: {"a":3}', { city: 'x', opts: { a: 3 } }],
    ['lines with a list', 'city=x\ntags=["a","b"]', { city: 'x', tags: ['a', 'b'] }],
    ['a colon in mid-line', 'city: see days: 3\ndays: 2', { city: 'see days: 3', days: 2 }],
    ['a colon that is missing', '{"days" 3,"city":"x"}', { days: 3, city: 'x' }],
    ['a comma that is missing before a bare key', '{city:"x" days:1}', { city: 'x', days: 1 }],
    ['a curly quote that closes a straight one', '{"city":"Paris”,"days":3}', { city: 'Paris', days: 3 }],
    ['an inch mark', '{"city":"6" pipe","days":3}', { city: '6" pipe', days: 3 }],
    ['a key in other quotes', '{"city”:"x",\'days":3}', { city: 'x', days: 3 }],
    ['colons that are missing', '{"city" "x", "days" 3, "tags" ["a"]}', { city: 'x', days: 3, tags: ['a'] }],
    ['a colon too many', '{"city":: "x"}', { city: 'x' }],
    ['semicolons', '{"days": 3; "city": "x"; "tags": ["a"; "b"];}', { days: 3, city: 'x', tags: ['a', 'b'] }],
    ['semicolons between numbers', '{"either": [1; 2]}', { either: [1, 2] }],
    ['a fence of tildes', '~~~json\n{"city":"x"}\n~~~', { city: 'x' }],
    ['entities for every quote', '{&quot;city&quot;: &quot;a b&quot;, &quot;days&quot;: 3}', { city: 'a b', days: 3 }],
    ['full-width signs', '｛＂city＂：＂甲，乙：丙＂，＂days＂：3｝', { city: '甲，乙：丙', days: 3 }],
    ['attributes', '<trip city="a, b" days="3"/>', { city: 'a, b', days: 3 }],
    ['attributes of an empty element', '<trip city="x" days="3"></trip>', { city: 'x', days: 3 }],
    ['a footnote', 'see [1]: {"city":"P"}\n\nand [2]', { city: 'P' }],
    ['a list encoded twice', { nodes: '"[{\\"name\\":\\"a\\"}]"' }, { nodes: [{ name: 'a' }] }],
    ['a list in a fence', { tags: '```json\n["a"]\n```' }, { tags: ['a'] }],
    ['a list that fits once it is read', { either: '[1,2]' }, { either: [1, 2] }],
    [
      'XML lists inside an XML list',
      { nodes: '<n><name>a</name><items><item>1</item><item>2</item></items></n>' },
      { nodes: [{ name: 'a', items: ['1', '2'] }] },
    ],
  ])('%s', (_, given, expected) => {
    const outcome = judge('trip', given);
    expect([outcome.status, outcome.input]).toEqual(['mended', expected]);
  });

  it.each(['functions.trip:0', 'functions/trip', 'functions::trip'])('the name %s', (name) => {
    expect(judge(name, '{}')).toMatchObject({ status: 'mended', name: 'trip' });
  });
});
