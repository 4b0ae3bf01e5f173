import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { CallReader } from '../call-reader.ts';
import { readCalls } from '../read-calls.ts';
import { renderCalls } from '../render.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const toolbox = new Toolbox([tool({ name: 'drop', description: 'Drop', effect: 'destructive', inputSchema })]);
const plain = ['hermes', 'qwen3-coder', 'minimax-m2'];
const written = (dialect: string): string => renderCalls([{ name: 'drop', arguments: { path: '/x' } }], dialect).trim();

const code = ['    ', '        ', '\t', '  \t', '\n    ', '\n\t', '\n\n    '];

describe.each(plain)('an indented code block that begins a message is no call: %s', (dialect) => {
  it.each(code)('%j', (space) => {
    const text = space + written(dialect);
    expect(readCalls(text, toolbox, { dialect })).toMatchObject({ calls: [], text });
    expect(readCalls(text, toolbox, { prompted: true })).toMatchObject({ calls: [], text });
    const reader = new CallReader(toolbox, { dialect });
    for (const char of text) reader.push(char);
    reader.end();
    expect(reader.calls).toEqual([]);
  });

  it.each(code)('after reasoning: %j', (space) => {
    const text = `<think>ok</think>${space}${written(dialect)}`;
    for (const options of [{ dialect }, { prompted: true }]) {
      const read = readCalls(text, toolbox, options);
      expect(read.calls).toEqual([]);
      expect(read.text).toContain(space.replaceAll('\n', '') + written(dialect));
    }
  });
});

describe.each(plain)('guard: less indentation, and indentation of what follows a call: %s', (dialect) => {
  it.each(['', ' ', '   ', '\n', '\n\n  ', '     \n', '<think>ok</think>\n\n', '<think>ok</think>  '])(
    '%j',
    (space) => {
      expect(readCalls(space + written(dialect), toolbox, { dialect }).calls).toMatchObject([{ status: 'ok' }]);
    },
  );
});

it('guard: a second call keeps its indentation', () => {
  const text = `${written('hermes')}\n    ${written('hermes')}`;
  expect(readCalls(text, toolbox, { dialect: 'hermes' }).calls).toHaveLength(2);
});

const before: readonly (readonly [what: string, text: string])[] = [
  ['an assignment', 'From the fixture:\n\n    completion = '],
  ['a word and a colon', 'Commit message:\n\n    docs: explain '],
  ['a tab', 'Fixture:\n\n\tout '],
  ['a second line', 'Fixture:\n\n    a = 1\n    out = '],
  ['right below a colon', 'The test has this line:\n    assert out == '],
  ['after a sentence', 'This is in the test.\n\n    assert out == '],
  ['in a list item', '- item:\n\n      sample '],
  ['in a numbered item', '1. item:\n\n       sample '],
  ['after a list', '- item\n\nCommit message:\n\n    docs: explain '],
  ['after a heading', '- item\n# Fixture\n    out = '],
  ['the first line', '    completion = '],
];
const continued: readonly (readonly [what: string, text: string])[] = [
  ['a list item', '- I checked it.\n\n    Now I drop it. '],
  ['a numbered item', '1. First I checked it.\n\n    Now I drop it. '],
  ['an item in an item', '- a\n    - b\n\n        Now I drop it. '],
  ['an item in an item, with its marker', 'Steps:\n\n1. Check it:\n    - Now I drop it. '],
  ['a paragraph', 'I checked it,\n    so now I drop it. '],
  ['less indentation', 'I checked it.\n\n   Now I drop it. '],
];

describe.each(plain)('words before a call in its line: %s', (dialect) => {
  it.each(before)('an indented code block with %s is no call', (_, prose) => {
    const text = prose + written(dialect);
    for (const options of [{ dialect }, { prompted: true }, {}])
      expect(readCalls(text, toolbox, options)).toMatchObject({ calls: [], text });
  });

  it.each(continued)('guard: the continuation of %s', (_, prose) => {
    expect(readCalls(prose + written(dialect), toolbox, { dialect }).calls).toMatchObject([{ status: 'ok' }]);
  });
});

describe('a prompted call without markers in an indented statement', () => {
  const bare = "find(path='/x')";
  const readOnly = new Toolbox([tool({ name: 'find', description: 'Find', effect: 'read', inputSchema })]);
  const reads = (text: string) => readCalls(text, readOnly, { dialect: 'auto', prompted: true });

  it.each(['    return [@]', '\n\n        return ["@"]\n\n        # It is called once.'])(
    'is refused, not text: %j',
    (text) => {
      const { calls } = reads(`${text.replace('@', bare)}\n\nThat is the solution.`);
      expect(calls).toMatchObject([{ status: 'invalid' }]);
    },
  );

  it.each(['    docs: explain @', 'From the log:\n\n    called @'])('is text after other words: %j', (text) => {
    expect(
      reads(`${text.replace('@', bare)}\n\nThat is the line.`).calls.filter(({ status }) => status !== 'invalid'),
    ).toEqual([]);
  });
});
