import { describe, expect, it } from 'vitest';
import { mendValue } from '../../src/mend/mend-value.ts';
import { closed, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ command: string, content: string, list: strings });
const raw = String.raw;

const status = (text: string, effect: 'write' | 'destructive') => mendWith(fields, text, { effect }).status;

/** Texts with a second reading, by what gives it. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'an invalid escape beside an escaped apostrophe': [
    raw`{'command': 'find . -name \'*.py\' -exec wc {} \;'}`,
    raw`{'command': 'grep -P \'\d+\' log'}`,
    raw`{'command': 'echo \'a\' \| b'}`,
    raw`{'command': 'sed \'s/\(a\)/b/\' x'}`,
    raw`{'command': 'awk \'/\.ts$/\' files'}`,
    raw`{'content': 'it\'s 5\.5'}`,
    raw`{'content': 'C:\Users\anna isn\'t there'}`,
    raw`{'content': 'don\'t write my\_name'}`,
    raw`{command: 'grep -P \'\w+\' log'}`,
    raw`{"command": 'grep -P \'\d+\' log'}`,
    raw`{'list': ['it\'s', 'isn\'t \d']}`,
    "Use this:\n{\"content\": 'it\\'s 5\\.5'}",
  ],
  'reasoning after the object that holds an object': [
    '{"command": "ls"}<think>or rather {"command": "pwd"}</think>',
    '{"command": "ls"}\n<think>\nNo, it should be\n{"command": "pwd"}\n</think>',
    '{"command": "ls"}<thinking>{"command": "pwd"}</thinking>',
    '{"command": "ls"}<reasoning>{command: pwd}</reasoning>',
    '{"command": "ls"}<think>or rather {"command": "pwd"}',
    '```json\n{"command": "ls"}\n```\n<think>Maybe {"command": "pwd"} is better.</think>',
    '{"command": "ls"}<think>{"command": "pwd"}</think>{"command": "ls"}',
    '<think>List.</think>{"command": "ls"}<think>or {"command": "pwd"}</think>',
  ],
  'reasoning after the object that takes it back or holds a field': [
    '{"command": "ls"}<think>no, wait</think>',
    '{"command": "ls"}<think>Wait, not this one.</think>',
    '{"command": "ls"}<think>cancel that</think>',
    '{"command": "ls"}<think>Hmm, actually no.</think>',
    '{"command": "ls"}\nActually, that is the wrong folder.',
    '{"command": "ls"}\nNo, that is the wrong folder.',
    '{"command": "ls"}\nOn second thought, leave it.',
    '{"command": "ls"}\nScratch that, please.',
    '{"command": "ls"}<think>Do not run it.',
    '{"command": "ls"}<think>content: x</think>',
    '{"command": "ls"}<think>dry_run=true</think>',
    '{"command": "ls"}<think>The command should be pwd.</think>',
  ],
  'an item of several words beside a comma': [
    '{"list": [New York, NY, Boston, MA]}',
    '{"list": [NY, New York]}',
    '{"list": [bug fix, docs]}',
    '{"list": [docs, bug fix]}',
    '{"list": [New York, "NY"]}',
    '{"list": [Paris, France, New York]}',
    '{list: [New York, Boston], command: ls}',
    '{"list": [\n  New York,\n  Boston\n]}',
  ],
};

describe.each(Object.entries(refused))('refuses %s', (_, texts) => {
  it.each(texts)('%s', (text) => {
    expect(status(text, 'write')).toBe('invalid');
  });
});

describe('keeps from destructive tools', () => {
  it.each([
    ['{"command": "ls"}<think>Done.</think>', { command: 'ls' }],
    ['{"command": "ls"}\n<think>\nThat lists the files.\n</think>', { command: 'ls' }],
    ['{"command": "ls"}<think>That lists the files.', { command: 'ls' }],
    ['{"command": "ls"}<think>That lists the files.</think>{"command": "ls"}', { command: 'ls' }],
    ['{&quot;command&quot;: &quot;ls&quot;}', { command: 'ls' }],
    ['{&#34;command&#34;: &#34;ls -la&#34;}', { command: 'ls -la' }],
    ['{&quot;list&quot;: [&quot;a&quot;, &quot;b&quot;]}', { list: ['a', 'b'] }],
  ])('%s', (text, input) => {
    expect(status(text, 'destructive')).toBe('invalid');
    const { status: mended, input: read } = mendWith(fields, text, { effect: 'write' });
    expect({ mended, read }).toEqual({ mended: 'mended', read: input });
  });
});

it('refuses an object in reasoning after structured output', () => {
  expect(mendValue('{"command": "ls"}<think>Well\nor {command: pwd}</think>', fields).status).toBe('invalid');
});

describe('guard: one reading', () => {
  it.each([
    [raw`{'content': 'it\'s fine'}`, { content: "it's fine" }],
    [raw`{'content': 'it\'s\nfine'}`, { content: "it's\nfine" }],
    [raw`{'content': 'it\'s \"a\"'}`, { content: 'it\'s "a"' }],
    [raw`{'content': 'C:\\new isn\'t there'}`, { content: "C:\\new isn't there" }],
    [raw`{'command': 'grep "\d+" log'}`, { command: 'grep "\\d+" log' }],
    [raw`{"command": "grep -P '\d+' log"}`, { command: "grep -P '\\d+' log" }],
    [raw`{'command': 'grep \d', 'content': 'it\'s'}`, { command: 'grep \\d', content: "it's" }],
    ['<think>List.</think>{"command": "ls"}', { command: 'ls' }],
    ['<think>Not {"command": "pwd"}.</think>{"command": "ls"}', { command: 'ls' }],
    ['{"command": "ls"}<think></think>', { command: 'ls' }],
    ['{"command": "ls"}\n<think>\n</think>\n', { command: 'ls' }],
    ['{"command": "ls"}<|im_end|>', { command: 'ls' }],
    ['{"content": "<think>{\\"a\\": 1}</think>"}', { content: '<think>{"a": 1}</think>' }],
    ['｛"command": "ls"｝', { command: 'ls' }],
    ['{"content": "&quot;a&quot;"}', { content: '&quot;a&quot;' }],
    ['{"list": [Berlin, Germany]}', { list: ['Berlin', 'Germany'] }],
    ['{"list": [a.ts, b.ts, src/c.ts]}', { list: ['a.ts', 'b.ts', 'src/c.ts'] }],
    ['{"list": ["New York", "NY",]}', { list: ['New York', 'NY'] }],
  ])('%s', (text, input) => {
    const { status, input: read } = mendWith(fields, text, { effect: 'destructive' });
    expect({ status: status !== 'invalid', read }).toEqual({ status: true, read: input });
  });

  it.each(['No further steps are needed.', 'Now the files are shown.', 'Once done, it ends.'])('prose: %s', (said) => {
    expect(status(`{"command": "ls"}\n${said}`, 'write')).toBe('mended');
  });

  it('reads one item of several words, inferred', () => {
    expect(status('{"list": [New York]}', 'destructive')).toBe('invalid');
    expect(mendWith(fields, '{"list": [New York]}').input).toEqual({ list: ['New York'] });
  });
});
