import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const string = { type: 'string' };
const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Write a file',
    inputSchema: { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] },
  }),
  tool({
    name: 'search',
    description: 'Search',
    effect: 'read',
    inputSchema: { type: 'object', properties: { query: string }, required: ['query'] },
  }),
]);
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });
const write = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "b"}}\n</tool_call>';
const search = '<tool_call>\n{"name": "search", "arguments": {"query": "b"}}\n</tool_call>';
const indent = (call: string, size: number): string => call.replace(/^/gm, ' '.repeat(size));

describe('a marked call stays text if its dialect would not read it when named', () => {
  it.each<[what: string, answer: (call: string) => string]>([
    ['a template literal', (call) => `const EX = \`\n${call}\n\`;`],
    ['a raw string of Go', (call) => `x := \`\n${call}\n\``],
    ['a raw string of C++', (call) => `std::string s = R"(\n${call}\n)";`],
    ['a string of Tcl', (call) => `set ex "\n${call}\n"`],
    ['a block of YAML', (call) => `assistant: |\n${indent(call, 2)}`],
    ['a folded block of YAML', (call) => `assistant: >-\n${indent(call, 2)}`],
    ['a stripped block of YAML', (call) => `prompt: |-\n${indent(call, 4)}`],
    ['a block of YAML in a list', (call) => `few:\n  - user: hi\n    assistant: |\n${indent(call, 6)}`],
  ])('%s', (_, answer) => {
    for (const call of [write, search])
      expect(read(answer(call))).toMatchObject({ calls: [], text: answer(call), dialect: 'content-only' });
  });
});

describe('guard: a marked call that stands alone counts', () => {
  it.each([
    write,
    search,
    `I'll save it now.\n\n${write}`,
    `It's one line, as you said.\n\n${write}`,
    `I use \`write_file\` for this:\n${write}`,
    `The "a" file comes first (as agreed).\n\n${write}`,
    `${search}\n${write}`,
  ])('%j', (answer) => {
    expect(read(answer).calls.at(-1)?.status).not.toBe('invalid');
    expect(read(answer).calls.length).toBe(answer.split('<tool_call>').length - 1);
  });
});

const shapes = {
  tool_call: write,
  invoke:
    '<invoke name="write_file">\n<parameter name="path">a</parameter>\n<parameter name="content">b</parameter>\n</invoke>',
  'function=':
    '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb\n</parameter>\n</function>',
};

describe('the sentence before a marked call decides, as for any other call', () => {
  it.each([
    'Do not run this:',
    'Not executed:',
    'For example:',
    'Never write this:',
    'The e-mail says:',
    'I did not send this.',
    'If you approve:',
    'Nicht ausgeführt:',
    'Por ejemplo:',
    '未执行：',
  ])('%s', (lead) => {
    for (const call of [...Object.values(shapes), search])
      for (const answer of [`${lead}\n\n${call}`, `${lead}\n${call}`, `${lead}\n\n${call}\n\n${call}`])
        expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });

  it('makes all calls text if one of them is revoked', () => {
    const answer = `I'll look first.\n\n${search}\n\nI did not send this:\n\n${write}`;
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });

  it('decides the same in chunks', () => {
    const answer = `Do not run this:\n\n${write}`;
    for (const chunk of [1, 7])
      expect(readCalls(answer, toolbox, { prompted: true, chunk })).toMatchObject({ calls: [], text: answer });
  });
});

describe('guard: a marked call after a sentence that announces it counts', () => {
  it.each(["I'll save it now:", 'Here is the call:', 'No problem, saving it.', 'The file is small. Let me write it.'])(
    '%s',
    (lead) => {
      for (const call of Object.values(shapes)) {
        expect(read(`${lead}\n\n${call}`)).toMatchObject({ calls: [{ name: 'write_file' }], text: `${lead}\n\n` });
      }
    },
  );
});
