/** What stands around a call and is closed behind it shows the call: any element, block or quote; so does a document's beginning. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import {
  inEveryChunk as all,
  readUserCalls as read,
  userTools as toolbox,
  writeUserCall as write,
} from './toolboxes.ts';

const rows = ['hermes', 'qwen3-coder', 'glm45', 'mistral', 'kimi-k2'];
const cross = <Row>(lefts: readonly Row[], rights: readonly string[]) =>
  lefts.flatMap((left) => rights.map((right) => [left, right] as const));

const around: readonly (readonly [string, string])[] = [
  ['<history>\n', '\n</history>'],
  ['<session id="4">\n', '\n</session>'],
  ['<conversation>', '</conversation>'],
  ['<attachment name="log.txt">\n', '\n</attachment >'],
  ['<testcase>\n', '\n</testcase>\n'],
  ['<ns:memo>\n', '\n</ns:memo>'],
  ['Here it is:\n<Old>\nBob wrote\n', '\nand left.\n</Old>'],
  ['{code:xml}\n', '\n{code}'],
  ['{noformat}\n', '\n{noformat}\n'],
  ['----\n', '\n----\n'],
  [':::note\n', '\n:::\n'],
  ['$$\n', '\n$$'],
  ['BEGIN QUOTE\n', '\nEND QUOTE'],
  ['=== START OF LOG ===\n', '\n=== END LOG ==='],
];

describe('between an opener and its closer', () => {
  it.each(cross(around, rows))('%j around %s', ([before, behind], dialect) => {
    const text = before + write('get_user', dialect) + behind;
    expect(read(text, dialect)).toEqual(all('text'));
    expect(read(text, 'auto')).toEqual(all('text'));
  });
});

const opened = [
  'Le modèle a écrit : « ',
  'Le modèle a écrit : «\u00a0',
  'It wrote: “ ',
  'It wrote (',
  'It wrote ( ',
  'It wrote: " ',
  'It wrote: "\n',
];

describe('right after an unclosed quote or bracket, ignoring spaces', () => {
  it.each(cross(opened, ['hermes', 'qwen3-coder', 'glm45']))('%j before %s', (before, dialect) => {
    const text = before + write('get_user', dialect);
    expect(read(text, dialect)).toEqual(all('text'));
    expect(read(text, 'auto')).toEqual(all('text'));
  });
});

describe('after the declaration of a document', () => {
  it.each(['hermes', 'qwen3-coder', 'glm45'])('%s', (dialect) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${write('get_user', dialect)}`;
    expect(read(text, dialect)).toEqual(all('text'));
    expect(read(text, 'auto')).toEqual(all('text'));
  });
});

const beside = [
  'The <b>user</b> is there.\n',
  'A list of List<String> comes back.\n',
  'First line<br>second line.\n',
  'He wrote “yes” and left.\n',
  'I put it (as you said) first.\n',
  'It is done :(\n',
  'Notes:\n:::note\nDone.\n:::\n',
];

describe('guard: after text that is closed, or never closes', () => {
  it.each(cross(beside, ['hermes', 'qwen3-coder', 'glm45']))('%j before %s', (before, dialect) => {
    expect(read(before + write('delete_user', dialect), dialect)).toEqual(all('delete_user ok'));
    expect(read(before + write('get_user', dialect), 'auto')).toEqual(all('get_user ok'));
  });
});

describe('an unknown tool name, in a named dialect', () => {
  it.each(['hermes', 'qwen3-coder', 'glm45'])('%s', (dialect) => {
    const example = renderCalls([{ name: 'example_function', arguments: { id: 5 } }], dialect);
    expect(read(`Write calls like this:\n\n${example}\n\nand nothing else.`, dialect)).toEqual(all('text'));
  });

  it.each(['hermes', 'qwen3-coder', 'glm45'])('guard: with nothing after it, in %s', (dialect) => {
    const call = renderCalls([{ name: 'example_function', arguments: { id: 5 } }], dialect);
    expect(read(call, dialect)).toEqual(all('example_function invalid'));
  });
});

describe("a tool's name in tags, without arguments", () => {
  it.each([
    'The first step uses <tool>get_user</tool>',
    '<tool>get_user</tool>\n<tool>delete_user</tool>',
    'Tools:\n- <tool>get_user</tool>',
  ])('%j', (text) => {
    expect(read(text, 'auto')).toEqual(all('text'));
    expect(read(text, 'langchain-xml')).toEqual(all('text'));
  });
});

describe('a colon for an equals sign in a Python call', () => {
  it.each([
    ['guard: ', 'delete_user(id: 5)'],
    ['', '[delete_user(id: 5)]'],
  ])('%s%s', (_, text) => {
    expect(read(text, 'auto')).toEqual(all('text'));
  });

  it('of a destructive tool is refused', () => {
    expect(read('[delete_user(id: 5)]', 'pythonic')).toEqual(all('delete_user invalid'));
  });

  it.each(['[get_user(id: 5)]'])('%s of a tool that reads is inferred', (text) => {
    const { calls } = readCalls(text, toolbox, { dialect: 'pythonic' });
    expect(calls[0]?.repairs.find(({ kind }) => kind === 'colon')?.certainty).toBe('inferred');
  });
});
