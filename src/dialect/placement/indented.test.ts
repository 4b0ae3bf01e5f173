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
