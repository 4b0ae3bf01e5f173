/** Arguments in quotes that JSON doesn't have: as they stand, or as a literal of a program, with a level of escapes more. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, mendWith, string } from './mend-with.ts';

const raw = String.raw;
const inputSchema = closed({ path: string, note: string }, ['path']);
const effects = ['write', 'destructive'] as const;

/** Texts whose backslashes differ between both readings. */
const twofold = [
  raw`{"path":"C:\\new\\test"}`,
  raw`{"path": "D:\\temp"}`,
  raw`{"path": "t.tex", "note": "\\title{A} \\newline \\ref{x}"}`,
  raw`{"path": "a.js", "note": "s.split(/\\r?\\n/)"}`,
  raw`{"path":"sed s/\\t/,/g data.tsv"}`,
  raw`{"path":"a\\\\b"}`,
  raw`{"path":"a\\b"}`,
  raw`{"path":"it\\u0041"}`,
  raw`{"path":"a\\\"b"}`,
  raw`{"path":"C:\\new",}`,
  raw`{path:"C:\\new"}`,
  raw`{\"path\":\"C:\\new\\test\"}`,
];

const forms: Readonly<Record<string, (text: string) => string>> = {
  apostrophes: (text) => `'${text}'`,
  backticks: (text) => `\`${text}\``,
  'three apostrophes': (text) => `'''${text}'''`,
  'three quotes': (text) => `"""${text}"""`,
  'typographic quotes': (text) => `“${text}”`,
  'a fence': (text) => `\`\`\`json\n'${text}'\n\`\`\``,
  'a semicolon': (text) => `'${text}';`,
  'a sentence after': (text) => `'${text}'\nThat's it.`,
  'a string of JSON': (text) => JSON.stringify(`'${text}'`),
  // Something between the quote and the brace.
  'a tag': (text) => `'<tool_call>${text}</tool_call>'`,
  'a tag on lines of its own': (text) => `'<tool_call>\n${text}\n</tool_call>'`,
  'a tag in a fence': (text) => `\`\`\`json\n'<tool_call>${text}</tool_call>'\n\`\`\``,
  'a tag after reasoning': (text) => `<think>I don't know</think>'<tool_call>${text}</tool_call>'`,
  'a tag after a token': (text) => `<|call|>'<tool_call>${text}</tool_call>'`,
  'a tag in a string of JSON': (text) => JSON.stringify(`'<tool_call>${text}</tool_call>'`),
  reasoning: (text) => `'<think>x</think>${text}'`,
  'special tokens': (text) => `'<|tool_call|>${text}<|end|>'`,
  parentheses: (text) => `'(${text})'`,
  'two braces': (text) => `'{${text}}'`,
  'a label': (text) => `'arguments: ${text}'`,
  'an extra closer': (text) => `'${text}}'`,
  'no opening brace': (text) => `'${text.slice(1)}'`,
  'no braces': (text) => `'${text.slice(1, -1)}'`,
  'a wrapper in a tag': (text) => `'<tool_call>{"arguments": ${text}}</tool_call>'`,
  entities: (text) => `'${text.replaceAll('"', '&quot;')}'`,
};

describe.each(Object.entries(forms))('backslashes with two readings are refused: in %s', (_, write) => {
  it.each(twofold)('%s', (text) => {
    for (const effect of effects)
      expect(mendWith(inputSchema, write(text), { effect })).toMatchObject({ status: 'invalid' });
  });
});

describe('backslashes with two readings are refused: beside escaped apostrophes', () => {
  it.each([
    raw`'{"path": "echo \\\'hi\\\'\\nls"}'`,
    raw`'{"path": "it\\\'s\\n"}'`,
    raw`'{"path": "git commit -m \\\'fix\\\'"}'`,
    raw`'{"path": "echo \\\'hi\\\'", "note": "a\\tb"}'`,
    raw`'{"path": "echo \'hi\'\\nls"}'`,
    raw`'{"path": "print(\'it\\\\\'s\')"}'`,
  ])('%s', (text) => {
    for (const effect of effects)
      for (const args of [text, `{"arguments": ${text}}`])
        expect(mendWith(inputSchema, args, { effect })).toMatchObject({ status: 'invalid' });
  });
  it.each([
    [raw`'{"path": "echo \'hi\'"}'`, "echo 'hi'"],
    [raw`'{"path": "echo \'hi\'\nls"}'`, "echo 'hi'\nls"],
    [raw`'{"path": "it\'s \\d"}'`, raw`it's \d`],
  ])('guard: %s', (text, path) => expect(mendWith(inputSchema, text)).toMatchObject({ input: { path } }));
});

describe('guard: backslashes with two readings are refused: in a wrapper', () => {
  // A string whose quotes are all escaped is a string of JSON with other delimiters.
  it.each(twofold.slice(0, -1))('%s', (text) =>
    expect(mendWith(inputSchema, `{"arguments": '${text}'}`)).toMatchObject({ status: 'invalid' }),
  );
});

describe('backslashes with two readings are refused: in calls', () => {
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', effect: 'read', inputSchema })]);
  const calls: Readonly<Record<string, (text: string) => string>> = {
    hermes: (text) => `<tool_call>{"name": "act", "arguments": '${text}'}</tool_call>`,
    'llama3-json': (text) => `{"name": "act", "parameters": '${text}'}`,
    mistral: (text) => `[TOOL_CALLS][{"name": "act", "arguments": '${text}'}]`,
  };
  it.each(Object.entries(calls))('%s', (dialect, write) => {
    for (const text of twofold)
      expect(readCalls(write(text), toolbox, { dialect }).calls.filter(({ status }) => status !== 'invalid')).toEqual(
        [],
      );
    expect(readCalls(write('{"path": "a\\nb"}'), toolbox, { dialect }).calls).toMatchObject([
      { input: { path: 'a\nb' } },
    ]);
  });
});

describe('a text whose readings agree is lossless', () => {
  it.each([
    [raw`'{"path":"a\nb"}'`, 'a\nb'],
    [raw`'{"path":"a\/b"}'`, 'a/b'],
    [raw`'{"path":"\u0041b"}'`, 'Ab'],
    [raw`'{"path":"a\\w"}'`, raw`a\w`],
    [raw`'{"path":"it\'s"}'`, "it's"],
    [raw`'{"path":"a b\nc",}'`, 'a b\nc'],
    [raw`'<tool_call>{"path":"a b\nc"}</tool_call>'`, 'a b\nc'],
    [raw`'<tool_call>{"path":"C:\\data"}</tool_call>'`, raw`C:\data`],
    [raw`'<think>a \d</think>{"path":"a.txt"}'`, 'a.txt'],
    [raw`'<tool_call>{"path":"a.txt"}</tool_call>'`, 'a.txt'],
    [raw`'<|tool_call|>{"path":"a.txt"}'`, 'a.txt'],
    [raw`'{\"path\":\"abc\"}'`, 'abc'],
    [raw`'{\"path\":\"say \\\"it\\\"\"}'`, 'say "it"'],
    [raw`'{\n  \"path\": \"abc\"\n}'`, 'abc'],
  ])('%s', (text, path) =>
    expect(mendWith(inputSchema, text, { effect: 'destructive' })).toMatchObject({ input: { path }, status: 'mended' }),
  );
});

describe('a text that is valid only as it stands, or only as a literal, is inferred', () => {
  it.each([
    [raw`'{"path":"it\"s"}'`, 'it"s'],
    [raw`'{"path":"say \"it\" now"}'`, 'say "it" now'],
    [raw`'{"path":"C:\\new \"x\""}'`, raw`C:\new "x"`],
    [raw`'{"path":"[\"a\", \"b\"]"}'`, '["a", "b"]'],
    [raw`'{"path":"it\\"s"}'`, 'it"s'],
    [raw`'{"path":"say \\"hi\\" now"}'`, 'say "hi" now'],
    [raw`'{"path":"ends with backslash \\""}'`, 'ends with backslash "'],
    [raw`'<tool_call>{"path":"say \\"hi\\" now"}</tool_call>'`, 'say "hi" now'],
  ])('%s', (text, path) => {
    expect(mendWith(inputSchema, text)).toMatchObject({ input: { path }, status: 'mended' });
    expect(mendWith(inputSchema, text, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: a string of JSON has one reading', () => {
  it.each([
    [raw`"{\"path\":\"C:\\\\new\"}"`, raw`C:\new`],
    [raw`"{\"path\":\"a b\\nc\"}"`, 'a b\nc'],
  ])('%s', (text, path) =>
    expect(mendWith(inputSchema, text, { effect: 'destructive' })).toMatchObject({ status: 'mended', input: { path } }),
  );
});
