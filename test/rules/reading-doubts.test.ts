/** Damaged arguments that a second original explains as well: words without quotes, lines, quotes in quotes, keys of another place. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, mendWith, open, string, type With } from './mend-with.ts';

const raw = String.raw;
const file = closed({ path: string, content: string, mode: string }, ['path']);
const shell = closed({ command: string, cwd: string });
const map: JsonSchema = { type: 'object', additionalProperties: string };
const request = open({ url: string, headers: map }, ['url']);
const strictRequest = closed({ url: string, headers: map }, ['url']);
const dates = closed({ start_date: string, end_date: string }, ['start_date']);
const search = closed({ q: string, filters: closed({ lang: string, exact: boolean }) }, ['q']);
const edits = closed({ edits: { type: 'array', items: closed({ old: string, fresh: string }, ['old']) } });

type Refused = readonly [schema: JsonSchema, text: string, more?: With];

const refused: Readonly<Record<string, readonly Refused[]>> = {
  'words without quotes that begin with a key': [
    [file, '{\n  path: a.txt\n  content: key: value\n}'],
    [file, '{path: a.txt, content: a: b}'],
    [file, '{path: a.txt, content: note = x}'],
  ],
  'a comma behind text where lines part the keys': [
    [file, '{\n  path: a.txt\n  content: line one,\n  mode: text\n}'],
    [file, '{\n  path: a.txt\n  content: a, mode: text\n}'],
    [file, '{\n  path: a.txt\n  content: x",\n  mode: text\n}'],
  ],
  'a comma or semicolon inside text that others part': [
    [file, '{path: a.txt, content: one, two, mode: text}'],
    [file, '{path: hello, world}'],
    [file, '{path: a.txt; content: b; c}'],
    [file, '{content: b; c; path: a.txt}'],
    [closed({ n: { type: 'integer' } }), '{"n": 1,000}'],
  ],
  'sums, assignments and spreads without quotes': [
    [file, '{path: a.txt, content: x+y}'],
    [file, '{path: a.txt, content: base + suffix}'],
    [file, '{path: a.txt, content: x=1}'],
    [file, '{path: a.txt, content: total += 5}'],
    [file, '{path: a.txt, content: x++}'],
    [file, '{path: a.txt, content: ...x}'],
  ],
  'what may be a comment or the first words of text': [
    [file, '{"path": /* v */ two words}'],
    [file, '{"path": /* v */ x}'],
  ],
  'a key that may go on with the word before it': [
    [edits, '{"edits": [{"old": a, edits: v, "fresh": "bar"}]}'],
    [edits, '{"edits": [{"old": x, "edits": "y", "fresh": ""}]}'],
    [file, '{"path": a.txt, note: x}'],
  ],
  'a bracket too many behind half a quote': [
    [shell, '{"command": x"}}'],
    [shell, '{\n  "command": x"}]}\n}'],
  ],
  'a key with neither a comma before it nor a closing quote': [
    [file, '{"path": "x", "content": "c" "mode: "text"}'],
    [file, '{"path": "x" "content: "c"}'],
  ],
  'quotes that part two strings by a word': [
    [shell, '{"cwd": "/a/"or"/b/"}'],
    [shell, '{"cwd": "/a/" or "/b/"}'],
    [shell, '{"command": "(ls) "and" (pwd)"}'],
  ],
  'a declared key between quotes that are not escaped': [
    [closed({ a: string, b: string }), '{"a":"x", "b":"key "b": "c""}'],
    [shell, '{"command": "run "cwd": "x" now"}'],
    [shell, '{"command": "send "cwd" = "x" now", "cwd": "/a"}'],
  ],
  'an escaped quote that lost its quote': [
    [shell, raw`{"command": "say \"hi\ now"}`],
    [shell, raw`{"command": "\"path\", \content\""}`],
  ],
  'lines with backslashes or empty brackets at their end': [
    [shell, raw`command: a\nb`],
    [shell, raw`cwd: C:\temp\x`],
    [shell, 'command: ls\ncwd: /tmp{}'],
  ],
  'a key of a map that may stand outside of it': [
    [request, '{"url":"https://x.y","headers":{"A":"b","timeout":"5"}'],
    [request, '{"url":"u","headers":{"A":"b","B":"c","D":"e"}'],
  ],
  'a key whose words stand in another order': [
    [dates, '{"start_date":"a","date_end":"b"}'],
    [dates, '{"start_date":"a","dateEnd":"b"}'],
  ],
  'a short key with a letter too many': [
    [closed({ to: string, cc: string }), '{"to":"a","ccc":"b"}'],
    [closed({ name: string, id: string }), '{"name":"a","idd":"b"}'],
  ],
  'a key that belongs into the object of another field': [
    [search, '{"q":"x","lang":"en"}'],
    [search, '{"q":"x","filters":{"exact":true},"lang":"en"}'],
  ],
  'a closing bracket added where the message ended by length': [
    [search, '[{"q": "x", "filters": {"exact": true}]', { finishReason: 'length' }],
    [edits, '{"edits": [{"old": "a"]}', { finishReason: 'length' }],
  ],
  'an object that a word before it calls wrong': [
    [shell, 'Wrong: {"command": "ls"}'],
    [shell, 'Bad:\n{"command": "ls"}'],
    [shell, '❌ Not like this:\n{"command": "ls"}'],
    [shell, '**Incorrect:**\n{"command": "ls"}'],
    [shell, 'Falsch: {"command": "ls"}'],
  ],
  'an object behind one that is encoded twice': [
    [shell, raw`"\"{\\\"command\\\": \\\"ls\\\"}\"" {"command": "rm"}`],
    [shell, `${raw`"\"{\\\"command\\\": \\\"ls\\\"}\""`}\n{"command": "rm"}`],
  ],
};

/** What was refused before. */
const held = new Set(['a short key with a letter too many']);

describe.each(Object.entries(refused).map(([what, rows]) => [held.has(what) ? 'guard: ' : '', what, rows] as const))(
  '%sReading: refuses %s',
  (_, __, rows) => {
    it.each(rows.map(([schema, text, more = {}]) => [schema, text, more] as const))('%j %j', (schema, text, more) =>
      expect(mendWith(schema, text, more).status).toBe('invalid'),
    );
  },
);

/** Read, and recorded as inferred: a destructive tool refuses them. */
describe('Reading: triple quotes around quotes are inferred', () => {
  it.each([
    ['{"path": """"hi" he said"""}', { path: '"hi" he said' }],
    ['{"path": """say "hi" now"""}', { path: 'say "hi" now' }],
    ['{"path": """print("hi")"""}', { path: 'print("hi")' }],
    [`{'path': '''it's'''}`, { path: "it's" }],
  ])('%j', (text, input) => {
    expect(mendWith(file, text)).toMatchObject({ status: 'mended', input });
    expect(mendWith(file, text, { effect: 'destructive' }).status).toBe('invalid');
  });
});

const read: readonly (readonly [schema: JsonSchema, text: string, input: unknown, more?: With])[] = [
  [file, '{path: a.txt, content: a, mode: text}', { path: 'a.txt', content: 'a', mode: 'text' }],
  [file, '{path: a.txt, content: one two, mode: text}', { path: 'a.txt', content: 'one two', mode: 'text' }],
  [file, '{\n  path: a.txt\n  content: hello world\n}', { path: 'a.txt', content: 'hello world' }],
  [
    file,
    '{\n  path: a.txt,\n  content: hello world,\n  mode: text\n}',
    { path: 'a.txt', content: 'hello world', mode: 'text' },
  ],
  [file, '{path: a.txt; content: b; mode: c}', { path: 'a.txt', content: 'b', mode: 'c' }],
  [file, '{path: jo+news@example.com}', { path: 'jo+news@example.com' }],
  [file, '{path: https://x.y/?a=1}', { path: 'https://x.y/?a=1' }],
  [file, '{path: ../a/b.txt}', { path: '../a/b.txt' }],
  [file, '{path: x -> y}', { path: 'x -> y' }],
  [open({ path: string }), '{"path": a.txt, "zone": "x"}', { path: 'a.txt', zone: 'x' }],
  [file, '{"path": """plain"""}', { path: 'plain' }],
  [shell, 'I call it like this:\n{"command": "ls"}', { command: 'ls' }],
  [shell, '{"command": "echo "hi" there"}', { command: 'echo "hi" there' }],
  [shell, '{"command": "say "this or that" now"}', { command: 'say "this or that" now' }],
  [shell, raw`{"command": "grep \"a\" \d+"}`, { command: raw`grep "a" \d+` }],
  [shell, 'command: ls\ncwd: /tmp', { command: 'ls', cwd: '/tmp' }],
  [request, '{"url":"https://x.y","headers":{"A":"b"}', { url: 'https://x.y', headers: { A: 'b' } }],
  [strictRequest, '{"url":"u","headers":{"A":"b","B":"c"}', { url: 'u', headers: { A: 'b', B: 'c' } }],
  [request, '{"url":"u","headers":{"A":"b","B":"c"}}', { url: 'u', headers: { A: 'b', B: 'c' } }],
  [search, '{"q":"x","filters":{"lang":"en"}}', { q: 'x', filters: { lang: 'en' } }],
  [search, '{"q":"x","filters":{"lang":"en"},"reason":"y"}', { q: 'x', filters: { lang: 'en' } }],
  [shell, '{"command": "<tool_call>x</tool_call>"}', { command: '<tool_call>x</tool_call>' }],
];

describe('guard: look-alikes with one original', () => {
  it.each(read.map(([schema, text, input, more = {}]) => [schema, text, input, more] as const))(
    '%j %j',
    (schema, text, input, more) => expect(mendWith(schema, text, more)).toMatchObject({ problems: [], input }),
  );
});
