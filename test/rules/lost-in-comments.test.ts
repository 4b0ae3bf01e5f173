/** Text that looks like a comment, a concatenation or a placeholder, but may belong to the value before it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { JsonReader } from '../../src/json/reader.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
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
