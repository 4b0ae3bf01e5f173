/** A string in a Python call follows one rule: what has two readings is refused, whatever the call is written in. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' } as const;
const input = { type: 'object', properties: { path: text, content: text }, required: ['content'] } as const;
const tools = new Toolbox([
  tool({ name: 'write_file', description: 'Writes', inputSchema: { ...input, additionalProperties: false } }),
  tool({ name: 'erase', description: 'Erases', effect: 'destructive', inputSchema: input }),
]);
const around: Readonly<Record<string, (call: string) => string>> = {
  pythonic: (call) => `[${call}]`,
  lfm2: (call) => `<|tool_call_start|>[${call}]<|tool_call_end|>`,
  olmo3: (call) => `<function_calls>${call}</function_calls>`,
};
const read = (written: string, name = 'write_file') =>
  Object.entries(around).map(([dialect, wrap]) => {
    const { calls } = readCalls(wrap(`${name}(content=${written})`), tools, { dialect });
    return calls.map((call) => (call.status === 'invalid' ? 'refused' : (call.input as { content: string }).content));
  });
const thrice = (value: string) => [[value], [value], [value]];

describe('refused', () => {
  const expectRefused = (written: string) => {
    expect(read(written)).toEqual(thrice('refused'));
    expect(read(written, 'erase')).toEqual(thrice('refused'));
  };
  it.each([
    // One string that mixes escapes with backslashes of its own.
    String.raw`"C:\Users\bob"`,
    String.raw`"D:\data\new"`,
    String.raw`'C:\temp\Reports\old'`,
    String.raw`'\\srv\share\new'`,
    String.raw`'grep -P \d+\t a.txt'`,
    String.raw`'p = \'C:\Data\new\''`,
    String.raw`'ls C:\Apps\2025'`,
    String.raw`'ls C:\2025'`,
    String.raw`'D:\apps'`,
    String.raw`'D:\videos'`,
    String.raw`'s/(a)/\1/'`,
    String.raw`'\N{BULLET} x'`,
    String.raw`'s/\/a/\/b/'`,
    String.raw`"echo '\''a'\''"`,
    // Quotes inside that end the value too early, or vanish between pieces.
    `'const a = require('fs')'`,
    `'if (x === 'tag') {'`,
    `"fmt.Println("hi")"`,
    `"f("a"), g("b")"`,
    `"see "a", path: "b""`,
    `'DELETE FROM t WHERE name IN ('a') AND old'`,
    `"He asked ("why?") and left"`,
    `'return ''.join(x)'`,
    `'x = '''`,
    `"x = "" or y"`,
    `'SET a = '' WHERE id = 1'`,
    `'SELECT 'it''s''`,
    `'for u in (t + '"', t + "'"):'`,
    `'a' "b" 'c'`,
    `"a" "b"`,
    `"echo" "hello"`,
    `"a " 'b'`,
    `"say ""hi"" there"`,
    `("say ""hi"" there")`,
    `"a " f"{b}"`,
    `'WHERE a=''`,
    // Line breaks beside escapes, and backslashes at the end of a line.
    `'printf("%s\\n");\nreturn;'`,
    `'RUN a && \\\n    b\nCMD c'`,
    `'docker run \\\n  -it x'`,
    `'docker run \\\r\n  -it x'`,
    `"""printf("%s\\n");\nreturn;"""`,
    `"""docker run \\\n  -it x"""`,
    `"""re.compile("\\\\d")\n"""`,
  ])('%s', expectRefused);
  it.each([`("a" "b", "c")`])('guard: %s', expectRefused);
});

describe('guard: read unchanged', () => {
  it.each<[written: string, value: string]>([
    [String.raw`'C:\Data\Reports'`, String.raw`C:\Data\Reports`],
    [String.raw`'C:\Users\Bob'`, String.raw`C:\Users\Bob`],
    [String.raw`'\d+\s*'`, String.raw`\d+\s*`],
    [String.raw`r'C:\new\temp'`, String.raw`C:\new\temp`],
    [String.raw`'C:\\new\\temp'`, String.raw`C:\new\temp`],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`'say \"hi\"'`, 'say "hi"'],
    [String.raw`"a\\\"b"`, String.raw`a\"b`],
    [String.raw`'\x41\u00e9\U0001F600'`, 'Aé😀'],
    [`'''two\nlines with \\d'''`, 'two\nlines with \\d'],
    [`"""\\\nfirst\nsecond"""`, 'first\nsecond'],
    [`'raw\nline'`, 'raw\nline'],
    [`'a\\n'\n  'b'`, 'a\nb'],
    [`"one " "two"`, 'one two'],
    [`"one" " two" " three"`, 'one two three'],
    [`'one ' 'two', path="a.txt"`, 'one two'],
    [`("one" "two")`, 'onetwo'],
    [`(\n"one "\n"two")`, 'one two'],
    [`"one " "two" + "!"`, 'one two!'],
    [`"echo "hi""`, 'echo "hi"'],
  ])('%s', (written, value) => {
    expect(read(written)).toEqual(thrice(value));
  });
});

it('records strings in pieces as inferred, and refuses them where a comma may be missing', () => {
  const list = { type: 'array', items: text } as const;
  const fields = {
    type: 'object',
    properties: { items: list, either: { type: ['string', 'array'], items: text } },
  } as const;
  const box = new Toolbox([tool({ name: 'f', description: 'F', inputSchema: fields })]);
  const statusOf = (call: string) =>
    readCalls(`[${call}]`, box, { dialect: 'pythonic' }).calls.map(({ status }) => status);
  for (const items of ['"a " "b"', '("a" "b")', '"a"\n"b"', '["a " "b"]']) {
    expect(statusOf(`f(items=${items})`)).toEqual(['invalid']);
    expect(statusOf(`f(either=${items})`)).toEqual(['invalid']);
  }
  expect(statusOf('f(items=["a ", "b"])')).toEqual(['ok']);
  expect(read('"one " "two"', 'erase')).toEqual(thrice('refused'));
  expect(readCalls('[write_file("a.txt " "b")]', tools, { dialect: 'pythonic' }).calls[0]?.status).toBe('invalid');
});

it.each([String.raw`echo \"hi\"`, String.raw`a\"b`, String.raw`C:\Users\new`])(
  "guard: reads the text between Gemma 4's quotes unchanged: %s",
  (content) => {
    const { calls } = readCalls(`<|tool_call>call:write_file{content:<|"|>${content}<|"|>}<tool_call|>`, tools, {
      dialect: 'gemma4',
    });
    expect(calls.map(({ status, input }) => [status, input])).toEqual([['ok', { content }]]);
  },
);

it.each([
  ['', '{"name": "write_file", "args": ["a.txt", "b.txt"]}'],
  ['guard: ', '{"name": "write_file", "arguments": ["a.txt"]}'],
  ['', "{'name': 'write_file', 'parameters': ['a.txt', 'b.txt']}"],
])('%sdoes not bind a list to fields by position: %s', (_, written) => {
  const { calls } = readCalls(written, tools, { prompted: true });
  expect(calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
});
