/** Text that looks like a comment, a concatenation or a placeholder, but may belong to the value before it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { JsonReader } from '../../src/json/reader.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { growthOf } from '../cpu-of.ts';
import { closed, mendWith, string } from './mend-with.ts';

const schema = closed({ path: string, content: string });

describe.each<[what: string, texts: readonly string[]]>([
  [
    'a comment after a string that ends in the quote of the string',
    [
      '{"path": "a", "content": \'names of users\'\n# and groups\n# go here\'\n}',
      '{"path": "a", "content": "it is the users"\n// end of file"\n}',
      '{"content": "names of users",\n# go here",\n"path": "a.py"}',
      '{"content": "use "\n# x" here"\n, "path": "a.py"}',
      "{'content': 'the users'\n# of 'a' and b'\n, 'path': 'a'}",
      '{"content": "a", // is the start of b",\n"path": "a.py"}',
    ],
  ],
  [
    'two strings with an operator between, whose quotes may belong to one',
    [
      '{"path": "a", "content": "[" + "]"}',
      '{\n"path": "a",\n"content": "{" + "}"\n}',
      '{"content": "[" + "]", "path": "a"}',
    ],
  ],
  [
    'quotes after three backslashes',
    [
      'path: src/a.ts\ncontent: "\\\\\\"quoted\\\\\\""',
      'content = "\\\\\\"quoted\\\\\\""\npath = a.ts',
      '{"path": "a", "content": ["\\\\\\"quoted\\\\\\""]}',
      '{"path": ["a"], "content": ["say \\\\\\"x\\\\\\""]}',
    ],
  ],
  [
    'words in brackets instead of a text',
    [
      '{"arguments": {"path": "a", "content": [TBD]}}',
      '[{"path": "a", "content": [TBD]}]',
      '{"name": "act", "parameters": {"path": "a", "content": [insert id]}}',
      '{"path": "a", "content": [TBD]}',
    ],
  ],
])('refuses %s', (_what, texts) => {
  it.each(texts)('%j', (text) => {
    for (const effect of ['read', 'write', 'destructive'] as const)
      expect(mendWith(schema, text, { effect }).status).toBe('invalid');
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    const whole = new JsonReader({ want: 'object' });
    whole.push(text);
    const inChunks = new JsonReader({ want: 'object' });
    for (const char of text) inChunks.push(char);
    expect(inChunks.end().problems.map(({ code }) => code)).toEqual(whole.end().problems.map(({ code }) => code));
  });
});

describe('guard: reads comments that can only be comments', () => {
  it.each([
    '{"path": "a", // or "b"\n"content": "x"}',
    '{"path": "a",\n// or "b"\n"content": "x"}',
    '{"path": "a",\n// "mode": "y",\n"content": "x"\n// "force": "z"\n}',
    '{"path": "a",\n# the users\' home\n"content": "x"\n# done\n}',
    "{'path': 'a',\n# don't do it\n'content': 'x'\n# that is John's\n}",
    '{"path": "a", "content": "x" // was: "old"\n}',
  ])('%j', (text) => {
    expect(mendWith(schema, text)).toMatchObject({ status: 'mended', input: { path: 'a', content: 'x' } });
  });
});

describe('a field of the object around it', () => {
  const opts = closed({ all: { type: 'boolean' } });
  const outer = closed({ path: string, lang: string, opts });
  it('is refused if that object lacks it', () => {
    const outcome = mendWith(outer, { path: 'a', opts: { all: true, lang: 'de' } });
    expect(outcome.problems).toMatchObject([{ path: ['opts', 'lang'], code: 'unknown' }]);
  });
  it('guard: is dropped if that object has it, and so are other keys', () => {
    const outcome = mendWith(outer, { path: 'a', lang: 'fr', opts: { all: true, zebra: 'de' } });
    expect(outcome).toMatchObject({ status: 'mended', input: { path: 'a', lang: 'fr', opts: { all: true } } });
  });
});

describe('an opening tag in a value, without its closing tag', () => {
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: schema, effect: 'write' })]);
  const call = (content: string) =>
    `<tool_call>\n<function=act>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</function>\n</tool_call>`;
  it.each(['<parameter name="path">x</parameter>\n', '<parameter=b>x\n</parameter>', 'a <parameter> b\n</parameter>'])(
    'is refused: %j',
    (content) => {
      for (const dialect of ['qwen3-coder', 'auto'])
        expect(readCalls(call(content), toolbox, { dialect }).calls.map(({ status }) => status)).toEqual(['invalid']);
    },
  );
  it.each(['a <parameters> b\n</parameter>', 'a < b, <param>\n</parameter>'])(
    'guard: is read with it: %j',
    (content) => {
      const { calls } = readCalls(call(content), toolbox, { dialect: 'qwen3-coder' });
      expect(calls.map(({ status }) => status)).toEqual(['ok']);
      expect(calls[0]?.input).toEqual({ path: 'a', content: content.replace(/\n<\/parameter>$/, '') });
    },
  );
});

describe('text in Python calls whose quotes are not escaped', () => {
  const text = { type: 'string' } as const;
  const toolbox = new Toolbox([
    tool({ name: 'act', description: 'Acts', inputSchema: schema, effect: 'write' }),
    tool({
      name: 'wipe',
      description: 'Wipes',
      inputSchema: closed({ sql: text, tags: { type: 'array' } }),
      effect: 'destructive',
    }),
  ]);
  const ways = [{ dialect: 'llama4-pythonic' }, { dialect: 'pythonic' }, { dialect: 'auto' }, { prompted: true }];
  const ran = (message: string) =>
    ways.flatMap((way) => readCalls(message, toolbox, way).calls.filter(({ status }) => status !== 'invalid'));
  it.each([
    '[act(path="a", content="he said "}" and "]"")]',
    '[act(path="a", content="grep "}" a.txt")]',
    '[act(path="a", content="cut -d "]" -f 1")]',
    '[act(path="a", content="const s = "]";")]',
    '[act(path="a", content="cut -d " " -f 1 a.txt")]',
    '[act(path="a", content="cut -d" " -f1 a.txt")]',
    "[act(path='a', content='sort -t ' ' -k 2 a.txt')]",
    '[act(path="a", content="tr " " "_" < a")]',
    '[act(path="a", content="join with " + " signs")]',
    '[act(path="a", content="x.split("+")")]',
    '[act(path="a", content="echo " "")]',
    '[act(content="x"}, {"y")]',
    '[wipe(sql="/data/{a,b"})]',
    '[wipe(\n    sql="DELETE FROM t WHERE note = " # " AND id = 5"\n)]',
    '[wipe(\n    sql="^server " #prod" off"\n)]',
    '[wipe(tags=["a", #bug, "c"\n])]',
    "[wipe(sql='build\\_old')]",
  ])('is refused: %j', (message) => {
    expect(ran(message)).toEqual([]);
  });
  it('keeps an escaped backslash before an underscore', () => {
    const inputs = ran("[act(path='a.tex', content='see file\\\\_name')]").map(({ input }) => input);
    expect(inputs).toEqual(ways.map(() => ({ path: 'a.tex', content: 'see file\\_name' })));
  });
  it.each([
    ['[act(path="a", # first\n content="b")]', 'b'],
    ['[act(\n  # the "first" one\n  path="a",\n  content="b"  # was: "old"\n)]', 'b'],
    ['[act(path="a", content="ls " + "-la")]', 'ls -la'],
    ['[act(path="a", content="one " "two")]', 'one two'],
  ])('guard: is read: %j', (message, content) => {
    expect(ran(message).map(({ input }) => input)).toEqual(ways.map(() => ({ path: 'a', content })));
  });
});

describe('quotes around blanks and escapes in other quotes', () => {
  it.each([
    '{"path": "run.sh", "content": "cut -d" " -f1 data.csv"}',
    "{'path': 'r', 'content': 'cut -d' ' -f1 x'}",
    '{"path": "r", "content": "awk -F" " 1"}',
    '{\n  "path": "README.md",\n  "content": "" # Title\\n\\nText""\n}',
    '{"path": "a", "content": "note = " # " AND id = 5"\n}',
    '{\\"path\\": \'C:\\temp\\new\', \\"content\\": \\"x\\"}',
    '{\\"path\\": `C:\\temp\\new`, \\"content\\": \\"x\\"}',
  ])('are refused: %j', (args) => {
    for (const effect of ['write', 'destructive'] as const)
      expect(mendWith(schema, args, { effect }).status).toBe('invalid');
  });
});

describe('brackets and tags that are left open', () => {
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: schema, effect: 'write' })]);
  it('are read in linear time in prompted responses', () => {
    const cost = (count: number) => () =>
      readCalls('Here:\n```json\n{"a": "b"\n```\n'.repeat(count), toolbox, { prompted: true });
    expect(growthOf(cost(500), cost(4000), { bar: 24 }).ratio).toBeLessThan(24);
  });
  it('are refused if another closing tag ends the value', () => {
    const call =
      '<function_calls>\n<invoke name="act">\n<parameter name="path">a</parameter>\n<parameter name="content"><content>x</content></content>\n</invoke>\n</function_calls>';
    const { calls } = readCalls(call, toolbox, { dialect: 'anthropic-xml' });
    expect(calls.map(({ status }) => status)).toEqual(['invalid']);
  });
});
