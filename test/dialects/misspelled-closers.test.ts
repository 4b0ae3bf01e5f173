import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  }),
]);

const read = (text: string, dialect: string) =>
  readCalls(text, toolbox, { dialect }).calls.map(({ status, input, repairs }) => ({
    status,
    input,
    certain: repairs.every(({ certainty }) => certainty === 'lossless'),
  }));

describe('a misspelled closer is no part of the value before it', () => {
  it.each([
    [
      'minicpm5',
      '<function name="write_file">\n<param name="path">a.ts',
      '\n<param name="content">x</param>\n</function>',
    ],
    [
      'glm45',
      '<tool_call>write_file\n<arg_key>path</arg_key><arg_value>a.ts',
      '\n<arg_key>content</arg_key><arg_value>x</arg_value>\n</tool_call>',
    ],
  ])('%s', (dialect, before, after) => {
    const closer = dialect === 'glm45' ? 'arg_value' : 'param';
    for (const spelled of [`</${closer}`, `< /${closer} >`, `</ ${closer}>`])
      expect(read(before + spelled + after, dialect)).toEqual([
        { status: 'mended', input: { path: 'a.ts', content: 'x' }, certain: false },
      ]);
  });

  it('guard: a comparison at the end of a value stays', () => {
    const text = '<function name="write_file">\n<param name="path">a < b<param name="content">x</param>\n</function>';
    expect(read(text, 'minicpm5')).toEqual([
      { status: 'mended', input: { path: 'a < b', content: 'x' }, certain: false },
    ]);
  });
});
