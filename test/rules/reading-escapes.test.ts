import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, problemCodes, statusByEffect, string, strings, type With } from './mend-with.ts';

const fields = closed(
  { path: string, content: string, mode: { enum: ['overwrite', 'append'] }, count: integer, lines: strings },
  ['path'],
);

const raw = String.raw;
const tick = '`';

/** Texts that have two readings: each must be refused, whatever the tool does. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'escapes that JSON does not know, in escaped text': [
    raw`{\"path\": \"C:\Users\"}`,
    raw`{\"path\": \"C:\users\"}`,
    raw`[{\"path\": \"C:\Users\"}]`,
    raw`{\"path\": \"a.txt\", \"content\": \"\w+ and \d\"}`,
    raw`{\"path\": \"x\", \"content\": \"50\% \$5\"}`,
    raw`{\n  \"path\": \"a\.txt\"\n}`,
  ],
  'backslashes in triple quotes': [
    raw`{"path": """C:\new\table"""}`,
    raw`{"path": "x", "content": '''echo "a\tb"'''}`,
    raw`{"path": "x", "content": """the \"empty\" one"""}`,
    raw`{"path": "x", "content": """a\nb"""}`,
    raw`{'path': 'x', 'content': '''a\'b'''}`,
    raw`{'path': 'x', 'content': """\d+"""}`,
  ],
  'triple quotes that end in a quote': [
    '{"path": "x", "content": """He said "hi""""}',
    `{"path": "x", "content": '''it was 'so''''}`,
  ],
  'escaped quotes beside quotes that are not': [
    raw`{'path': 'x', 'content': 'say "a" and \"b\"'}`,
    raw`{'path': 'x', 'content': 'f('it\'s')'}`,
    raw`{'path': 'x', 'content': 'it's and it\'s'}`,
  ],
  'escapes of curled quotes': [
    raw`{“path”: “x”, “content”: “say \”hi\” now”}`,
    raw`{‘path’: ‘x’, ‘content’: ‘it\’s’}`,
    raw`{“path”: “it\’s”}`,
    raw`{"path": "say \“hi\” now"}`,
  ],
  'a backslash that templates and entities have out of habit': [
    `{"path": "\\${tick}ls\\${tick}"}`,
    `{"path": "const s = \\${tick}Hello \\\${name}\\${tick};"}`,
    raw`{"path": "Hello \${'$'}{name}"}`,
    raw`{'path': 'say \&quot;hi\&quot; now'}`,
  ],
  'an escape of shells or Markdown beside another kind of escape': [
    raw`{"path": "50\% of user\_name"}`,
    raw`{"path": "it\'s \$5"}`,
    raw`{"path": "cost \$5 "now" here"}`,
  ],
  'an escaped slash in single quotes, whose backslash Python keeps': [
    raw`{'path': 'a\/b'}`,
    raw`{"path": 'a\/b'}`,
    raw`{path: 'a\/b'}`,
    raw`{'path': '\/usr\/bin', 'count': None}`,
    raw`{'path': 's/a\/b/c/', 'count': 5}`,
    raw`{'path': "it's a\/b"}`,
    raw`{'path': 'x', 'lines': ['a\/b']}`,
    raw`{'path': 'a\/b',}`,
    raw`<|python_tag|>{'path': 'a\/b'}`,
  ],
  'escapes beside double quotes in a string with quotes of its own': [
    raw`{"path": 'grep "\bfoo\b" x'}`,
    raw`{"path": 'grep -P "\bTODO\b" -r src', "count": 5}`,
    raw`{"path": 't.split("\n").join("\r\n")'}`,
    raw`{"path": "a.tex", "content": '\frac{1}{2} \beta "x"'}`,
    raw`{"content": '\frac{1}{2} \beta "x"', "path": "a.tex"}`,
    raw`{"path": "a.c", "content": 'printf("%d\n", x);'}`,
    raw`{"path": "a.py", "content": 'import re\nprint("a")'}`,
    raw`{"path": "x", "content": 'const re = /"([^"\\]|\\.)*"/g;'}`,
    raw`{"path": "x", "lines": ['std::cout << "a\tb"; /* "c" */', "z"]}`,
    raw`{"path": "x", "lines": ["z", 'sed "s/\t/ /g"']}`,
    raw`{"path": "x", "content": 'echo "caf\u00e9"'}`,
    raw`{"path": "x", "content": 'it\'s "a\n"'}`,
    raw`{"path": 'C:\new "dir"',}`,
    raw`{'path': 'x', "content": 'print("a\n")'}`,
    raw`{'content': 'print("a\n")', "path": 'x'}`,
    raw`{'content': 'print("a\n")', 'path': "x"}`,
    raw`{content: 'print("a\n")', path: "x"}`,
    raw`{"path": "x", "content": «print("a\n")»}`,
  ],
  'pieces and colons': [
    raw`{"path": "x", "lines": ["import re\n"` + '\n "x = 1"]}',
    '{"path": "x", "lines": ["a\n" "b"]}',
  ],
};

describe.each(Object.entries(refused))('Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) =>
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'validation' }),
  );
});

/** Texts of the same kinds that were refused before. */
const refusedBefore: Readonly<Record<string, readonly string[]>> = {
  'an escape of shells or Markdown beside another kind of escape': [raw`{"path": "echo \$HOME\n"}`],
  'escapes beside double quotes in a string with quotes of its own': [raw`{「path」: 「print("a\n")」}`],
};

describe.each(Object.entries(refusedBefore))('guard: Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) =>
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'validation' }),
  );
});

const destructive: With = { effect: 'destructive' };

/** Read, and recorded as inferred: a destructive tool refuses them. */
const inferred: readonly (readonly [text: string, input: unknown])[] = [
  [raw`{"path": "\e[0m"}`, { path: raw`\e[0m` }],
  [raw`{"path": "a\vb"}`, { path: raw`a\vb` }],
  [raw`{"path": "a\0b"}`, { path: raw`a\0b` }],
  [raw`{"path": "\d+\$"}`, { path: raw`\d+\$` }],
  [raw`{"path": "cost \$5"}`, { path: raw`cost \$5` }],
  [raw`{"path": "rm -rf \$HOME/tmp"}`, { path: raw`rm -rf \$HOME/tmp` }],
  [raw`{"path": "\$\{.*\}"}`, { path: raw`\$\{.*\}` }],
  [raw`{"path": "echo \"\$HOME\""}`, { path: raw`echo "\$HOME"` }],
  [raw`{"path": "wow\!"}`, { path: raw`wow\!` }],
  [raw`{"path": "\# one \* two"}`, { path: raw`\# one \* two` }],
  [raw`{"path": "SELECT \* FROM t"}`, { path: raw`SELECT \* FROM t` }],
  [raw`{"path": "50\%"}`, { path: raw`50\%` }],
  [raw`{"path": "\<div\>"}`, { path: raw`\<div\>` }],
];

describe('Reading: a backslash that may be a habit is inferred', () => {
  it.each(inferred)('%j', (text, input) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input });
    expect(mendWith(fields, text, destructive).status).toBe('invalid');
  });
});

/** Look-alikes with one reading. */
const sure: readonly (readonly [text: string, input: unknown])[] = [
  [raw`{\"path\": \"a/b.txt\"}`, { path: 'a/b.txt' }],
  [raw`{"path": "\d+\.\w\s\("}`, { path: raw`\d+\.\w\s\(` }],
  [raw`{"path": "\bx"}`, { path: '\bx' }],
  [raw`{"path": "a\/b",}`, { path: 'a/b' }],
  [raw`{path: "\/usr\/bin"}`, { path: '/usr/bin' }],
  [raw`{“path”: “a\/b”}`, { path: 'a/b' }],
  [raw`{'path': 'a/b\n'}`, { path: 'a/b\n' }],
  [raw`{'path': 'it\'s'}`, { path: "it's" }],
  [raw`{"path": 'it\'s "so"'}`, { path: 'it\'s "so"' }],
  [raw`{"path": 'a\nb'}`, { path: 'a\nb' }],
  [raw`{"path": 'say "hi"'}`, { path: 'say "hi"' }],
  [raw`{"path": 'grep "\d+" x'}`, { path: raw`grep "\d+" x` }],
  [raw`{"path": 'say \"hi\"\n'}`, { path: 'say "hi"\n' }],
  [raw`{'path': 'print("a\n")'}`, { path: 'print("a\n")' }],
  [raw`{'path': 'print("a\n")', 'content': "it's"}`, { path: 'print("a\n")', content: "it's" }],
  [raw`{'content': "it's\n", 'path': 'print("a\n")'}`, { content: "it's\n", path: 'print("a\n")' }],
  [raw`{path: 'print("a\n")', content: 'b'}`, { path: 'print("a\n")', content: 'b' }],
  [raw`{'path': 'say \"hi\"'}`, { path: 'say "hi"' }],
  [`{'path': 'say "hi"'}`, { path: 'say "hi"' }],
  ['{“path”: “x”}', { path: 'x' }],
  ['{"path":: "x"}', { path: 'x' }],
];

describe('guard: look-alikes with one reading', () => {
  it.each(sure)('%j', (text, input) =>
    expect(mendWith(fields, text, destructive)).toMatchObject({ problems: [], input }),
  );
});

it('names the escape that Python and JSON read differently', () => {
  const { problems } = mendWith(fields, raw`{'path': "it's a\/b"}`);
  expect(problems[0]?.message).toBe(
    raw`Field 'path' has \/, which Python reads differently; write \\/ for a backslash`,
  );
});

describe('Reading: refuses quotes after three backslashes', () => {
  const schema = closed({ path: string, content: string });
  const texts = [
    'path: src/a.ts\ncontent: "\\\\\\"quoted\\\\\\""',
    'content = "\\\\\\"quoted\\\\\\""\npath = a.ts',
    '{"path": "a", "content": ["\\\\\\"quoted\\\\\\""]}',
    '{"path": ["a"], "content": ["say \\\\\\"x\\\\\\""]}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(schema, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});
