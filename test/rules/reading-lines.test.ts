/** Lines of key and value, lists in one text, and calls without arguments: what they are, and what they are not. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, integer, mendWith, open, string, strings, type With } from './mend-with.ts';

const fields = closed({ text: string, key: string, n: integer, list: strings });

describe('Reading: key-value lines have one key each, and plain text', () => {
  it.each([
    'text: `ls`\nkey: en',
    'text: “Guten Tag”\nkey: en',
    'text: Buy milk, key: under the mat',
    'text=Buy milk; key=shop',
    'text: a,b, key: c',
    String.raw`text="C:\temp\notes.txt"` + '\nkey=en',
    String.raw`text: "\begin{document}"` + '\nkey: en',
    String.raw`text: "..\new\report.txt"` + '\nkey: en',
  ])('refuses %j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('guard: Reading: key-value lines with two keys, in a list, or with more than plain text', () => {
  it.each([
    'text: [URGENT]\nn: 5',
    'text = [your text]\nkey = en',
    'text: [1]\nkey: en',
    'text: (draft)\nkey: en',
    'text: milk, key: mat',
    'text=export n=5',
    'text=ls;n=5',
    'text=ls n=5',
    'text="Buy milk", n=5',
    '```\ntext=ls n=5\n```',
    '- text: ls\n- n: 5',
    '* text: ls\n* n: 5',
    'text=getPath()',
    'text=os.getcwd()\nkey=x',
    `text: ${'$'}{HOME}/x\nkey: x`,
    'text: $HOME/x\nkey: x',
    'text: {{name}}\nkey: x',
    'text=<cmd>\nn=5',
    'text: a && b\nn: 5',
    'text: a | b\nn: 5',
    'text: x => 1\nn: 5',
    'text=FOO=1 make\nn=5',
    'text: name: v\nkey: w',
    'text: None\nkey: x',
    'text: null\nkey: x',
    'text: |\nkey: x',
  ])('refuses %j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('guard: Reading: lines with one reading', () => {
  it.each([
    ['text: Buy milk\nkey: under the mat', { text: 'Buy milk', key: 'under the mat' }],
    ['text: "Guten Tag"\nkey: en', { text: 'Guten Tag', key: 'en' }],
    ['list: ["a", "b"]\nn: 5', { list: ['a', 'b'], n: 5 }],
    ['text: src/a.ts\nn: 5', { text: 'src/a.ts', n: 5 }],
    ['text=ls -la\nn=5', { text: 'ls -la', n: 5 }],
    ['text: see https://x.y/?a=b\nkey: 12:30', { text: 'see https://x.y/?a=b', key: '12:30' }],
    ['text: call me (maybe), ok?\nkey: a_b', { text: 'call me (maybe), ok?', key: 'a_b' }],
    ['text: use n=5 here\nn: 6', { text: 'use n=5 here', n: 6 }],
    ['text: true\nkey: 007', { text: 'true', key: '007' }],
    ['<act text="Buy milk" n="5"/>', { text: 'Buy milk', n: 5 }],
  ])('%j', (text, input) => expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input }));
});

describe('Coercing: text that is not a list of one', () => {
  it.each(
    [
      '[WIP]',
      '[bug-123]',
      '[ui/ux]',
      '[slug]',
      '[bug, ui]',
      'قلم، كتاب',
      'a؛b',
      'red｜blue',
      'red､blue',
      'red﹐blue',
      'red･blue',
      'red · blue',
      'red\u2028blue',
      'red\u2029blue',
    ].map((list) => JSON.stringify({ list })),
  )('refuses %j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('guard: Coercing: text that is a list, or one item', () => {
  it.each([
    ["['WIP']", ['WIP']],
    ['["WIP"]', ['WIP']],
    ['["a", "b"]', ['a', 'b']],
    ['(WIP)', ['(WIP)']],
    ['WIP', ['WIP']],
  ])('%j', (list, items) =>
    expect(mendWith(fields, { list })).toMatchObject({ status: 'mended', input: { list: items } }),
  );
});

const loose = open({ event: string, user: string, n: integer }, ['event']);

describe('Reading: a missing comma before an unquoted key, in an object that accepts any key', () => {
  it.each([
    ['{event: "login" user: "1", ip: "x"}', { event: 'login', user: '1', ip: 'x' }],
    ['{event: "login"\n user: "1",\n ip: "x"}', { event: 'login', user: '1', ip: 'x' }],
    ['{event: "login", user: "1" ip: "x"}', { event: 'login', user: '1', ip: 'x' }],
    ['{event: "a" n: 3, source: "chat"}', { event: 'a', n: 3, source: 'chat' }],
  ])('%j', (text, input) => {
    const outcome = mendWith(loose, text);
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(outcome.repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
  });
});

describe('Reading: a call without arguments', () => {
  it.each(['act()', 'act( )', 'act();', 'functions.act()'])('%j', (text) =>
    expect(mendWith(closed({}), text)).toMatchObject({ status: 'mended', input: {} }),
  );
});

describe('guard: Reading: similar texts', () => {
  it.each([
    [fields, '{text: "login" key: "1", ip: "x"}'],
    [loose, '{event: log in user: 1, ip: x}'],
    [closed({}), 'other()'],
    [closed({}), 'act(now)'],
    [closed({ a: string }, ['a']), 'act()'],
  ])('refuses %#', (schema, text) => expect(mendWith(schema, text).status).toBe('invalid'));

  it('refuses a missing call for a destructive tool', () =>
    expect(mendWith(closed({}), 'act()', { effect: 'destructive' }).status).toBe('invalid'));
});

describe('Reading: reports the fault', () => {
  it.each([
    [fields, '{"text":"a.txt"}\n"n": 5', 'is closed before "n"'],
    [fields, '{"text":"a.txt"} "n": 5', 'is closed before "n"'],
    [fields, '{"text":"a.txt"}, "n": 5', 'is closed before "n"'],
    [fields, '{"text": "a.txt", "n"}', 'has the key "n" without a value'],
    [loose, '{"event": "login", "ip": "x"', 'a bracket is missing'],
    [fields, '{"text": "C:\\u12"}', 'broken escape \\u12;'],
  ])('%#: %j', (schema, text, words) => {
    const outcome = mendWith(schema, text);
    expect(outcome.status).toBe('invalid');
    expect(outcome.status === 'invalid' && outcome.problems.map(({ message }) => message).join()).toContain(words);
    expect(outcome).not.toMatchObject({ errorType: 'truncated' });
  });

  const exact = { effect: 'destructive' } as const;
  it.each<[schema: JsonSchema, text: string, words: string, more?: With]>([
    [fields, '{"text": "/tmp/a" /* old */}', 'has the comment "/* old */" beside it', exact],
    [fields, '{"text": "/tmp/a" // old\n}', 'has the comment "// old" beside it', exact],
    [fields, "act(text='u1')", 'is written as a call; send a JSON object', exact],
    [fields, 'act({"text": "u1"})', 'is written as a call; send a JSON object', exact],
    [fields, '<text>u1</text>', 'is written as tags; send a JSON object', exact],
    [fields, '{"name": "delete_file", "arguments": {"text": "a"}}', "Field 'name' names another tool, 'delete_file'"],
    [loose, '{"tool": "log_out", "input": {"event": "a"}}', "Field 'tool' names another tool, 'log_out'"],
    [closed({ n: integer }), '{"name": "delete_file", "arguments": {}}', "Field 'name' names another tool"],
  ])('%#: %j', (schema, text, words, more) => {
    const outcome = mendWith(schema, text, more);
    expect(outcome.status === 'invalid' && outcome.problems[0]?.message).toContain(words);
  });

  it.each([
    ['', '{"list": "- made"}', 'Send ["- made"] for one item or ["made"] for several'],
    ['', '{"ns": "1, 2"}', 'Send [1,2]'],
    ['', '{"ns": "- 1\\n- 2"}', 'Send [1,2]'],
    ['guard: ', '{"ns": "1 and two"}', undefined],
    ['guard: ', '{"list": "a, b"}', 'Send ["a, b"] for one item or ["a","b"] for several'],
  ])('%ssuggests for %j', (_, text, suggestion) => {
    const outcome = mendWith(closed({ list: strings, ns: { type: 'array', items: integer } }), text);
    expect(outcome.status === 'invalid' && outcome.problems[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    ['delete_file', '{"name": "delete_file", "arguments": {"text": "a"}}'],
    ['log_out', '{"tool": "log_out", "input": {"event": "a"}, "id": "c1"}'],
    ['log_out', '{"type": "function", "name": "log_out", "parameters": {}}'],
  ])('reports only the name of another tool, %s', (other, text) => {
    const outcome = mendWith(closed({ path: string, content: string }, ['path', 'content']), text);
    expect(outcome.status === 'invalid' && outcome.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`names another tool, '${other}'`),
    ]);
  });

  it('guard: names the dropped text, and no second fault', () => {
    const outcome = mendWith(fields, '{"text": "a.txt", "n": 5, ...}');
    expect(outcome.status === 'invalid' && outcome.problems.map(({ code }) => code)).toEqual(['syntax']);
  });
});
