/** Between the markers of a section, and between the closers of a call, only calls belong. Other text there may be part of a call. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, recursive: { type: 'boolean' } },
  required: ['path'],
  additionalProperties: false,
} as const;
const toolbox = new Toolbox([
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema }),
  tool({ name: 'write_file', description: 'Writes', effect: 'write', inputSchema }),
]);
const tools = ['delete_file', 'write_file'];

/** Calls of a section, and what is written at each place where only white space and calls belong. */
type Write = (name: string, other: string) => string;
const closers: Record<string, Write> = {
  'deepseek-v3': (name, other) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n{"path": "a"}\n\`\`\`${other}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  step3: (name, other) =>
    `<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="${name}"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke>${other}<｜tool_call_end｜><｜tool_calls_end｜>`,
  'anthropic-xml-legacy': (name, other) =>
    `<function_calls>\n<invoke><tool_name>${name}</tool_name><parameters><path>a</path></parameters>${other}</invoke>\n</function_calls>`,
};
const sections: Record<string, Write> = {
  'kimi-k2': (name, other) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>${other}<|tool_calls_section_end|>`,
  'deepseek-v31': (name, other) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜>${other}<｜tool▁calls▁end｜>`,
  'deepseek-v32': (name, other) =>
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="${name}">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>${other}</｜DSML｜function_calls>`,
  'qwen3-coder': (name, other) =>
    `<tool_call>\n<function=${name}>\n<parameter=path>\na\n</parameter>\n</function>${other}</tool_call>`,
  'anthropic-xml': (name, other) =>
    `<function_calls>\n<invoke name="${name}">\n<parameter name="path">a</parameter>\n</invoke>${other}</function_calls>`,
  'minimax-m2': (name, other) =>
    `<minimax:tool_call><invoke name="${name}"><parameter name="path">a</parameter></invoke>${other}</minimax:tool_call>`,
};

const others = [
  '\n{"recursive": true}\n',
  '{"recursive": true}',
  '\n```json\n{"recursive": true}\n```',
  '\nrecursive: true\n',
  '"recursive": true',
  ' but do not run it yet ',
  '\nOnly if the backup exists.\n',
  ', {"path": "b"}',
  '[{"recursive": true}]',
  '<recursive>true</recursive>',
];

const ran = (text: string, options: Parameters<typeof readCalls>[2]): string[] =>
  readCalls(text, toolbox, options)
    .calls.filter(({ status }) => status !== 'invalid')
    .map(({ name, input }) => `${name} ${JSON.stringify(input)}`);

describe.each([undefined, 1, 7])('in chunks of %s', (size) => {
  const chunk = size === undefined ? {} : { chunk: size };
  const rows = Object.entries({ ...closers, ...sections });

  it.each(rows)('%s: other text refuses the calls of the section', (dialect, write) => {
    for (const other of others)
      for (const name of tools)
        for (const options of [{ dialect }, {}, { prompted: true }])
          expect([other, ran(write(name, other), { ...options, ...chunk })]).toEqual([other, []]);
  });

  it.each(rows)('guard: %s: white space', (dialect, write) => {
    for (const other of ['', '\n', '\n\n  '])
      for (const name of tools)
        expect(ran(write(name, other), { dialect, ...chunk })).toEqual([`${name} {"path":"a"}`]);
  });
});

it('no event says that such a call can run', () => {
  const text = sections['kimi-k2']?.('write_file', ' recursive: true ') ?? '';
  const { calls } = readCalls(text, toolbox, { dialect: 'kimi-k2', chunk: 3 });
  expect(calls).toMatchObject([{ status: 'invalid', problems: [{ code: 'ambiguous' }] }]);
});

describe('text before the calls of a section', () => {
  it.each(['{"recursive": true}', 'recursive: true', 'Only if the backup exists.'])('%s', (other) => {
    const text = `<｜tool▁calls▁begin｜>${other}<｜tool▁call▁begin｜>delete_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
    for (const options of [{ dialect: 'deepseek-v31' }, {}, { dialect: 'deepseek-v31', chunk: 1 }])
      expect(ran(text, options)).toEqual([]);
  });
});

describe('an inner closer alone', () => {
  const begin = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>';
  const call = (path: string, name = 'delete_file') =>
    `function<｜tool▁sep｜>${name}\n\`\`\`json\n{"path": "${path}"}\n\`\`\``;
  const dialect = 'deepseek-v3';

  it('other text after it refuses the call, also at the end of the message', () => {
    for (const chunk of [{}, { chunk: 1 }])
      for (const other of ['\n```json\n{"path": "b"}\n```', '\n{"recursive": true}', '\nrecursive: true'])
        expect(ran(`${begin}${call('a')}${other}`, { dialect, ...chunk })).toEqual([]);
  });

  it('guard: the end of the section, the next call or the end of the message may follow', () => {
    for (const chunk of [{}, { chunk: 1 }]) {
      const written = (path: string) => call(path, 'write_file');
      expect(ran(`${begin}${written('a')}`, { dialect, ...chunk })).toEqual(['write_file {"path":"a"}']);
      expect(ran(`${begin}${call('a')}\n<｜tool▁calls▁end｜>`, { dialect, ...chunk })).toHaveLength(1);
      expect(ran(`${begin}${written('a')}\n<｜tool▁call▁begin｜>${written('b')}`, { dialect, ...chunk })).toHaveLength(
        2,
      );
    }
  });
});

it('guard: a section that is only mentioned leaves the next one alone', () => {
  const call = '<|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>';
  const text = `Sections open with <|tool_calls_section_begin|> as you know.\n<|tool_calls_section_begin|>${call}<|tool_calls_section_end|>`;
  expect(ran(text, { dialect: 'kimi-k2' })).toEqual(['write_file {"path":"a"}']);
});

describe('lines of a difference', () => {
  const call = (path: string) => `<tool_call>{"name": "write_file", "arguments": {"path": "${path}"}}</tool_call>`;
  it('show calls', () => {
    const text = `diff --git a/p.md b/p.md\n-${call('a')}\n+${call('b')}`;
    for (const options of [{ dialect: 'hermes' }, {}, { dialect: 'hermes', chunk: 1 }])
      expect(ran(text, options)).toEqual([]);
  });
  it('guard: items of a list may be calls', () => {
    expect(ran(`Now:\n- ${call('a')}`, { dialect: 'hermes' })).toEqual(['write_file {"path":"a"}']);
  });
});

describe('a comma with nothing before it', () => {
  const marked = (call: string) => `<|tool_call_start|>[${call}]<|tool_call_end|>`;
  it.each([
    'write_file(path="a",, recursive=True)',
    'write_file(,path="a")',
    'write_file(path="a", , recursive=True)',
    'write_file(path="a",,)',
    'delete_file("a",,True)',
  ])('%s', (call) => {
    for (const options of [{ dialect: 'lfm2' }, {}, { prompted: true }]) expect(ran(marked(call), options)).toEqual([]);
    expect(ran(`[${call}]`, { prompted: true })).toEqual([]);
  });
  it('guard: one after the last argument', () => {
    expect(ran(marked('write_file(path="a",)'), { dialect: 'lfm2' })).toEqual(['write_file {"path":"a"}']);
  });
});
