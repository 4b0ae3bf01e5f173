import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { dialects } from '../dialects/index.ts';
import { readCalls } from '../read-calls.ts';
import { renderCalls } from '../render.ts';

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

describe('the sentence before a marked call decides, unless the tool only reads', () => {
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
    for (const call of Object.values(shapes))
      for (const answer of [`${lead}\n\n${call}`, `${lead}\n${call}`, `${lead}\n\n${call}\n\n${call}`])
        expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });

  it.each(['Calling the tool:', 'Now I call the tool:', 'Using the write_file tool:', 'Step 2: save the file'])(
    'guard: a sentence about what the model does leads up to a call that writes: %s',
    (lead) => {
      for (const call of Object.values(shapes))
        expect(read(`${lead}\n${call}`).calls).toMatchObject([{ name: 'write_file', status: 'ok' }]);
    },
  );

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

describe('words before a marked call in its line', () => {
  it.each([
    'Step 2. The model emits ',
    'Sample 3. ',
    'Row 12. ',
    'A. ',
    '**B.** ',
    'The answers:\n\nA. ',
    'I checked it.\n\nRow 12. ',
    '3. The expected completion is ',
    'SAMPLE=',
    'sample = ',
    'return ',
    'lock => ',
    'lock -> ',
    'I checked it.\nsample = ',
  ])('a label, a statement or another sentence makes a call that writes text: %j', (lead) => {
    for (const call of Object.values(shapes)) expect(read(lead + call)).toMatchObject({ calls: [], text: lead + call });
  });

  it.each([
    'Sure. ',
    'The file is small. Let me write it. ',
    '1. ',
    '- ',
    '2. I write it now. ',
    "Step 2. I'll write it: ",
    '• ',
  ])('guard: a sentence or a list marker does not: %j', (lead) => {
    for (const call of Object.values(shapes)) expect(read(lead + call).calls).toMatchObject([{ name: 'write_file' }]);
  });

  it.each(['Step 2. The model emits ', 'A. '])('guard: a call that only reads: %j', (lead) => {
    expect(read(lead + search).calls).toMatchObject([{ name: 'search' }]);
  });
});

// biome-ignore format: a table of lead-ins
const leadIns = [
  '', 'Calling the tool:\n', 'Now I call the tool:\n', 'Checking the pods:\n', 'First I need the pods:\n', 'Next step:\n', 'The next call:\n',
  'Ich rufe das Werkzeug auf:\n', "J'appelle l'outil :\n", '我来调用工具：\n', 'Calling search\n', 'Okay, listing pods:\n', 'Step 1: list the pods\n',
  '1. List the pods\n', 'I run this:\n', 'To list the pods, call search:\n', 'We call search:\n', 'I could not find it.\n\n', 'For example:\n\n',
  'Sure. ', '- ', '<think>\nhm\n</think>\n', '```json\n', '```\n',
];
/** Lead-ins after which a call with plain markers of a tool that writes counts if calls were requested. */
const known = [
  '',
  'Calling the tool:\n',
  'Now I call the tool:\n',
  'Calling search\n',
  'Step 1: list the pods\n',
  'Sure. ',
  '- ',
];
const given = [
  { name: 'search', arguments: { query: 'a b' } },
  { name: 'read_file', arguments: { path: 'c.ts' } },
];
const toolsOf = (effect: 'read' | 'write' | 'destructive') =>
  new Toolbox(
    given.map(({ name, arguments: input }) => {
      const [key = ''] = Object.keys(input);
      const inputSchema = { type: 'object', properties: { [key]: string }, required: [key] };
      return tool({ name, description: name, effect, inputSchema });
    }),
  );

describe('guard: a request for calls adds calls and takes none away', () => {
  const rows = dialects.filter(({ name }) => name !== 'content-only');
  const found = (answer: string, tools: Toolbox, prompted: boolean) =>
    readCalls(answer, tools, { prompted }).calls.flatMap(({ status, name, input }) =>
      status === 'invalid' ? [] : [{ name, input }],
    );
  it.each(rows.map(({ name }) => name))('%s', (dialect) => {
    for (const effect of ['read', 'write', 'destructive'] as const) {
      const tools = toolsOf(effect);
      for (const calls of [given, given.slice(0, 1), given.slice(1)]) {
        const written = renderCalls(calls, dialect, tools);
        for (const lead of effect === 'read' ? leadIns : known) {
          // In a fence, `<function_call>` is shown if calls were requested.
          if (dialect === 'granite-20b-fc' && lead.startsWith('```')) continue;
          for (const end of ['', '\n', '<|im_end|>', '\n\nDone.']) {
            const answer = `${lead}${written}${lead.startsWith('```') ? '\n```' : ''}${end}`;
            const prompted = found(answer, tools, true);
            for (const one of found(answer, tools, false))
              expect([answer, prompted]).toEqual([answer, expect.arrayContaining([one])]);
          }
        }
      }
    }
  });
});
