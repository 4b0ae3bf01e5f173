/** One unescaped quote inside a string, and a closing quote that changed places with the bracket behind it. */
import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, open, statusByEffect, string, strings } from './mend-with.ts';

const fields = closed({ content: string, path: string, x: integer, list: strings, map: open({ a: string }) });

describe('Reading: refuses one quote after a word, which may be one too many', () => {
  const expectRefused = (args: string) =>
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  it.each([
    '{"content": "rm -rf build", dist", "x": 1}',
    '{"content": "rm -rf build" dist", "x": 1}',
    '{"content": "rm -rf build"; dist", "x": 1}',
    '{"content": "rm -rf build": dist", "x": 1}',
    '{"x": 1, "content": "rm -rf build", dist"}',
    '{"x": 1, "content": "rm -rf build" dist"}',
    '{"content": "say hi" to all", "x": 1}',
    '{"content": "step 3", then go", "x": 1}',
    '{"content": "use 5"; then go", "x": 1}',
    '{"map": {"a": "one" two"}, "x": 1}',
    '{"content": "say \\"hi\\" and bye" now", "x": 1}',
  ])('%s', expectRefused);
  it.each([
    '{"content": "say "hi", "x": 1}',
    '{"content": "print("hi", "x": 1}',
    '{"list": ["one" two"], "x": 1}',
    '{"content": "monitor 27"\n", "path": "a.ts"}',
    '{"content": "monitor 27" ", "path": "a.ts"}',
    '{"content": "monitor 27"\n\n", "path": "a.ts"}',
    '{"content": "the end"\t", "path": "a.ts"}',
    '{"content": "one"\n"two, "path": "a.ts"}',
  ])('guard: %s', expectRefused);
});

describe('guard: reads inches, and quotes that pair up', () => {
  it.each([
    ['{"content": "a 27" screen", "x": 1}', { content: 'a 27" screen', x: 1 }],
    ['{"x": 1, "content": "size 6" pipe"}', { x: 1, content: 'size 6" pipe' }],
    ['{"content": "the "quick" fox", "x": 1}', { content: 'the "quick" fox', x: 1 }],
    ['{"content": "print("hi")", "x": 1}', { content: 'print("hi")', x: 1 }],
  ])('%s', (args, input) => {
    const { repairs, ...outcome } = mendWith(fields, args);
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(repairs.map(({ kind, certainty }) => `${kind} ${certainty}`)).toEqual(['inner_quote inferred']);
  });
});

const swapped = 'ends in a bracket, and one is missing after it: its closing quote may be misplaced';

describe('Reading: refuses a bracket that may have changed places with the closing quote', () => {
  it.each([
    '{"x": 1, "content": "hello}"',
    '{"content": "hello}"\n',
    '{"content": "hello }"',
    '{"content": "a.ts}" ',
    '{"list": ["a", "b]"}',
    '{"map": {"a": "b}}"',
    '{"map": {"a": "b}"}',
    '{"content": "\\\\x1b[1mbold\\\\x1b[0m}"',
    '{"content": "if (a) [ b }"',
    '{"content": "[a] and [b]]}"',
    '{"content": "const x = [}"',
    '{"content": "{ a: [}"',
    '{"content": "f({ a: [1, 2}"',
    '{"list": ["a", "b[{]"}',
    '{"list": ["a", "{]"}',
  ])('%s', (args) => {
    const { status, problems } = mendWith(fields, args);
    expect([status, problems.length]).toEqual(['invalid', 1]);
    expect(problems[0]?.message).toContain(swapped);
  });
});

describe('guard: reads text that opens the bracket it ends with', () => {
  it.each([
    ['{"content": "{a}"', { content: '{a}' }],
    ['{"content": "function f() { return [1]; }"', { content: 'function f() { return [1]; }' }],
    ['{"map": {"a": "[b]"}', { map: { a: '[b]' } }],
    ['{"list": ["a", "{ b[0]"}', { list: ['a', '{ b[0]'] }],
    ['{"content": "[{}]"', { content: '[{}]' }],
    ['{"content": "f() {\\n}\\n"', { content: 'f() {\n}\n' }],
    ['{"content": "done."', { content: 'done.' }],
  ])('%s', (args, input) => expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input }));
});

it('guard: reads a string in pieces, and one that is never closed', () => {
  const content = 'one two';
  for (const args of ['{"content": "one "\n"two", "x": 1}', '{"content": "one two, "x": 1}'])
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { content, x: 1 } });
});

describe('Reading: refuses quotes around blanks, and other quotes inside escaped text', () => {
  it.each([
    '{"path": "run.sh", "content": "cut -d" " -f1 data.csv"}',
    "{'path': 'r', 'content': 'cut -d' ' -f1 x'}",
    '{"path": "r", "content": "awk -F" " 1"}',
    '{\n  "path": "README.md",\n  "content": "" # Title\\n\\nText""\n}',
    '{"path": "a", "content": "note = " # " AND id = 5"\n}',
    '{\\"path\\": \'C:\\temp\\new\', \\"content\\": \\"x\\"}',
    '{\\"path\\": `C:\\temp\\new`, \\"content\\": \\"x\\"}',
  ])('%j', (args) => {
    expect(statusByEffect(fields, args)).toEqual(['invalid', 'invalid', 'invalid']);
  });
});

describe('a quote alone as a value, which with its own quotes looks like three', () => {
  it.each([
    '{"path": "q", "content": """}{"path": "q", "content": """}',
    '{"path": "q", "content": """}\n{"path": "q", "content": """}',
    '{"path": "q", "content": """}, {"path": "q", "content": """}',
    '[{"path": "q", "content": """}, {"path": "q", "content": """}]',
    '{"content": """, "path": "q"}{"content": """, "path": "q"}',
    '{"content": """}{"content": """}',
    '{"content": """, "path": """}',
    '{path: "q", content: """}{path: "q", content: """}',
    "{'path': 'q', 'content': '''}{'path': 'q', 'content': '''}",
    '{"map": {"a": """}}{"map": {"a": """}}',
    '{"list": ["""]}{"list": ["""]}',
    '{"list": [""", """]}',
    '{"list": ["a", """, "b", """]}',
  ])('%s is refused', (args) => expect(statusByEffect(fields, args)).toEqual(['invalid', 'invalid', 'invalid']));

  it.each([
    ['{"content": """say "hi" now"""}', 'say "hi" now'],
    ['{"content": """} else {"""}', '} else {'],
    ['{"content": """{"path": "x"}"""}', '{"path": "x"}'],
    ['{"content": """a, b,"""}', 'a, b,'],
    ['{"content": """Summary:"""}', 'Summary:'],
    ['{"content": """}\n"""}', '}\n'],
    ['{"content": """x"""}{"content": """x"""}', 'x'],
  ])('guard: %s', (args, content) =>
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { content } }),
  );
});
