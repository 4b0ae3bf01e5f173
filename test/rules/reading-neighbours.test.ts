/** Two faults side by side: read where one reading is left, else refused with one reason that names the fault. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, open, string, strings, told } from './mend-with.ts';

const numbers: JsonSchema = { type: 'array', items: { type: 'number' } };
const integers: JsonSchema = { type: 'array', items: integer };
const fields = closed({
  path: string,
  content: string,
  query: string,
  brand: string,
  limit: integer,
  flags: strings,
  opts: closed({ deep: boolean }),
});

describe('a missing comma between numbers', () => {
  const refused = [
    '1,5 2,5',
    '1,5  2,5 3,5',
    '1 2,5',
    '1,2 3',
    '1,2 3,4',
    '-1,5 2',
    '1,2, 3 4,5',
    '0,5\n1,5',
    '1,50 2,25',
  ];
  it.each(refused)('commas that may be decimal have two readings: [%s]', (list) => {
    const outcome = told(mendWith(closed({ list: numbers }), `{"list":[${list}]}`));
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });

  it('digits in groups of three may be one number, whatever the schema expects', () => {
    for (const items of [numbers, integers])
      expect(told(mendWith(closed({ list: items }), '{"list":[1,234\n5,678]}'))).toMatchObject({ status: 'invalid' });
  });

  it.each([
    ['1 2 3', numbers, [1, 2, 3]],
    ['1.5 2.5', numbers, [1.5, 2.5]],
    ['1.5,2.5 3.5', numbers, [1.5, 2.5, 3.5]],
    ['1,2,3 4', numbers, [1, 2, 3, 4]],
    ['1, 2 3, 4', numbers, [1, 2, 3, 4]],
    ['1,2 3', integers, [1, 2, 3]],
    ['1,2 3,4', integers, [1, 2, 3, 4]],
  ])('guard: one reading is left: [%s]', (list, items, value) => {
    expect(told(mendWith(closed({ list: items }), `{"list":[${list}]}`))).toMatchObject({
      status: 'mended',
      input: { list: value },
    });
  });
});

describe('a missing comma before an unquoted key', () => {
  it.each([
    ['{"path":"a.ts" content:"b"}', { path: 'a.ts', content: 'b' }],
    ['{"path":"a.ts" limit: 5}', { path: 'a.ts', limit: 5 }],
    ['{"path":"a.ts" limit: 5, "content":"x"}', { path: 'a.ts', limit: 5, content: 'x' }],
    ['{"path":"a.ts" flags:["a","b"]}', { path: 'a.ts', flags: ['a', 'b'] }],
    ['{"path":"a.ts" opts:{"deep":true}, limit: 3}', { path: 'a.ts', opts: { deep: true }, limit: 3 }],
    ['{"query":"say \\"hi\\" now" limit:5}', { query: 'say "hi" now', limit: 5 }],
    ['{"path":"a.ts", "query":"x" content:"y" "limit":5}', { path: 'a.ts', query: 'x', content: 'y', limit: 5 }],
  ])('is read, inferred: %s', (text, input) => {
    const outcome = told(mendWith(fields, text));
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(outcome.status === 'mended' && outcome.repairs).toContain('comma inferred');
  });

  it.each([
    ['{"content":"echo " path:"b"}', 'a quote that may open'],
    ['{"content":"printf " path:" x"}', 'a quote that may open'],
    ['{"content":"he said \\"hi" path:"b"}', 'an escaped quote without a partner'],
    ['{"content":"a" other:"b"}', 'a key that is not declared'],
    ['{"path":"a" contents:"b"}', 'a key that is spelt otherwise'],
    ['{"query":"27\\" wide" brand:"dell"","limit":5}', 'a quote more behind it'],
    ['{"query":"monitor 27" brand:"dell"","limit":5}', 'a quote more behind it'],
    ['{"query":"27" limit:5" panel","brand":"x"}', 'a value that goes on'],
    ['{"path":"a.ts" content:some words here}', 'a value without quotes'],
    ['{"flags":["a" limit:5]}', 'a list'],
  ])('guard: is refused: %s (%s)', (text) => {
    expect(mendWith(fields, text).status).toBe('invalid');
  });

  it('guard: a tool that accepts any key does not make a key of words in a text', () => {
    expect(mendWith(open({ query: string }), '{"query":"a" other:"b"}').status).toBe('invalid');
  });

  it.each([
    ['{"content":"class="x" path:"y" z"}', 'class="x" path:"y" z'],
    ['{"content":"<a title="x" brand:"y">"}', '<a title="x" brand:"y">'],
    ['{"content":"see "A" path:"b" there"}', 'see "A" path:"b" there'],
  ])('guard: quotations in a text stay in it: %s', (text, content) => {
    expect(told(mendWith(fields, text))).toMatchObject({ status: 'mended', input: { content } });
  });
});

describe('a string with an invalid escape and unescaped quotes', () => {
  it.each([
    [String.raw`{"content":"a \d" "c" d"}`, String.raw`\d beside quotes that are not escaped`],
    [String.raw`{"content":"x" y \n z" w"}`, String.raw`\n beside quotes that are not escaped`],
    [String.raw`{"content":"a\'s" x "c" d"}`, String.raw`\', which JSON does not know`],
    [String.raw`{"content":"a \u12" x "c" d"}`, String.raw`the broken escape \u12`],
  ])('has one problem: %s', (text, words) => {
    const outcome = mendWith(fields, text);
    expect(outcome.problems).toHaveLength(1);
    expect(outcome.problems[0]?.message).toContain(words);
  });

  it('guard: has one problem, a Python escape', () => {
    const { problems } = mendWith(fields, String.raw`{"content":"a\x41" x "c" d"}`);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('unescaped quotes inside')]);
  });

  it('the reason also mentions escaping the quotes', () => {
    const [problem] = mendWith(fields, String.raw`{"content":"say "hi" \n there"}`).problems;
    expect(problem?.message).toContain(String.raw`write every quote inside as \" and every backslash`);
  });
});

describe('a value that may contain the next field', () => {
  it.each([
    ['guard: ', '{"path":"a.txt,"content":hello world"}'],
    ['guard: ', '{"path":"a.txt ,"content":hello world"}'],
    ['guard: ', '{"path":"a.txt;,"content": hello world"}'],
    ['', '{"path":"a.txt" content:hello, world"}'],
    ['', '{"content":"say \\"hi\\", ok},"path"\\"b.md"}'],
    ['guard: ', '{"content":"say \\"hi\\", ok`,"path"::b.md"}'],
    ['', '{"content":\'C:\\\\dir\\\\x.txt","path":"b.md\'}'],
    ['guard: ', '{"content":“words","path":"b.md”}'],
  ])('%sis refused: %s', (_, text) => {
    expect(mendWith(fields, text).status).toBe('invalid');
  });

  it.each([
    ['{\'content\': \'{"name": "x", "path": "p"}\'}', '{"name": "x", "path": "p"}'],
    ['{\'content\': \'a "b", "c" d\'}', 'a "b", "c" d'],
    ['{"content":"the "first", and the "second" one"}', 'the "first", and the "second" one'],
  ])('guard: text with quotations is read: %s', (text, content) => {
    expect(told(mendWith(fields, text))).toMatchObject({ status: 'mended', input: { content } });
  });
});

describe('a string without its closing quote', () => {
  it.each(['{"path":"a.txt ,"limit":5}', '{"path":"a.txt\n,"limit":5}', '{"path":"a.txt\\,"limit":5}'])(
    'that ends in a space or a backslash has two readings: %s',
    (text) => {
      expect(mendWith(fields, text).status).toBe('invalid');
    },
  );

  it('guard: that ends in a word is read', () => {
    expect(told(mendWith(fields, '{"path":"a.txt,"limit":5}'))).toMatchObject({ input: { path: 'a.txt', limit: 5 } });
  });
});

describe('a key with JSON punctuation in it', () => {
  it.each([
    ...['l[im', '.xyz'].map((key) => ['', key] as const),
    ...['pa}h', 'p\\\\th', 'pa;th', 'pa\\nh', '=path', 'path:'].map((key) => ['guard: ', key] as const),
  ])('%sis not dropped: %s', (_, key) => {
    expect(mendWith(fields, `{"content":"x","${key}":"b.md"}`).status).toBe('invalid');
  });

  it.each(['reason', 'x-note', 'og:title', 'why now'])('guard: other keys are dropped: %s', (key) => {
    expect(told(mendWith(fields, `{"content":"x","${key}":"b.md"}`))).toMatchObject({ input: { content: 'x' } });
  });
});

describe('the right reason', () => {
  it.each([
    ['{"path":"a","lim', 'Root object is cut off'],
    ['{"path":"a", ...}', 'leaves something out'],
    ['{path}', 'has the key "path" without a value'],
    ['{"path"}', 'has the key "path" without a value'],
    ['{"path":"a",limit}', 'has the key limit without a value'],
    ['{"path":"a " "limit"}', 'the name of a field'],
    ['act(path=x+1)', 'is code with more than plain values'],
    ['{{"path":"a",}}', 'begins with an extra bracket'],
    ['<think>hm {"path":"a"}', 'is unclosed reasoning'],
    ['{"path":"a","flags":["b","c]}', 'is not closed: the text ends without its closing quote'],
  ])('%s', (text, words) => {
    const outcome = mendWith(fields, text);
    expect(outcome.problems).toHaveLength(1);
    expect(outcome.problems[0]?.message).toContain(words);
  });
});
