/** Markers that are missing, doubled, cut off or stray, in a named dialect: the call is inferred, so nothing is destroyed. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string } from './mend-with.ts';

const toolboxFor = (effect: Effect) =>
  new Toolbox([
    tool({ name: 'delete_file', description: 'D', effect, inputSchema: closed({ path: string }, ['path']) }),
  ]);
const destructive = toolboxFor('destructive');
const writing = toolboxFor('write');

const json = '{"name": "delete_file", "arguments": {"path": "build"}}';
const exact = {
  hermes: `<tool_call>\n${json}\n</tool_call>`,
  'qwen3-coder':
    '<tool_call>\n<function=delete_file>\n<parameter=path>\nbuild\n</parameter>\n</function>\n</tool_call>',
  glm45: '<tool_call>delete_file\n<arg_key>path</arg_key>\n<arg_value>build</arg_value>\n</tool_call>',
  'anthropic-xml':
    '<function_calls>\n<invoke name="delete_file">\n<parameter name="path">build</parameter>\n</invoke>\n</function_calls>',
  'kimi-k2':
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.delete_file:0<|tool_call_argument_begin|>{"path": "build"}<|tool_call_end|><|tool_calls_section_end|>',
  'deepseek-v31':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete_file<｜tool▁sep｜>{"path": "build"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  lfm2: '<|tool_call_start|>[delete_file(path="build")]<|tool_call_end|>',
  'llama4-pythonic': '[delete_file(path="build")]',
  'json-array': `[${json}]`,
  mistral: `[TOOL_CALLS][${json}]`,
} as const;

type Name = keyof typeof exact;
const faults: readonly (readonly [Name, fault: string, (text: string) => string])[] = [
  ['hermes', 'the closer is missing', (text) => text.replace('\n</tool_call>', '')],
  ['hermes', 'the closer is missing before the end of the turn', (text) => text.replace('</tool_call>', '<|im_end|>')],
  ['hermes', 'the closer is doubled', (text) => `${text}</tool_call>`],
  ['hermes', 'the closer is doubled on another line', (text) => `${text}\n</tool_call>`],
  ['hermes', 'the opener is doubled', (text) => `<tool_call>${text}`],
  ['hermes', 'the closer is cut off', (text) => text.slice(0, -3)],
  ['hermes', 'the second closer is cut off', (text) => `${text}</tool_ca`],
  ['hermes', 'a brace is stray', (text) => text.replace('\n</', '}\n</')],
  ['hermes', 'a bracket is stray', (text) => text.replace('\n</', ']\n</')],
  ['qwen3-coder', 'the outer closer is missing', (text) => text.replace('\n</tool_call>', '')],
  ['qwen3-coder', 'the outer opener is missing', (text) => text.replace('<tool_call>\n', '')],
  ['qwen3-coder', 'the inner closer is doubled', (text) => text.replace('</function>', '</function></function>')],
  ['qwen3-coder', 'the outer closer is doubled', (text) => `${text}</tool_call>`],
  ['qwen3-coder', 'the opener is doubled', (text) => `<tool_call>\n${text}`],
  ['qwen3-coder', 'the outer closer is cut off', (text) => text.slice(0, -3)],
  ['glm45', 'the opener is doubled', (text) => `<tool_call>${text}`],
  ['glm45', 'the closer is doubled', (text) => `${text}\n</tool_call>`],
  ['anthropic-xml', 'the outer closer is missing', (text) => text.replace('\n</function_calls>', '')],
  ['anthropic-xml', 'the outer closer is doubled', (text) => `${text}</function_calls>`],
  ['anthropic-xml', 'the inner closer is doubled', (text) => text.replace('</invoke>', '</invoke></invoke>')],
  ['anthropic-xml', 'the outer closer is cut off', (text) => text.slice(0, -5)],
  ['kimi-k2', 'the end of the section is missing', (text) => text.replace('<|tool_calls_section_end|>', '')],
  ['kimi-k2', 'the end of the call is missing', (text) => text.replace('<|tool_call_end|>', '')],
  ['deepseek-v31', 'the end of the section is missing', (text) => text.replace('<｜tool▁calls▁end｜>', '')],
  ['lfm2', 'the closer is missing', (text) => text.replace('<|tool_call_end|>', '')],
];

describe.each(faults)('%s: %s', (dialect, _, damage) => {
  const text = damage(exact[dialect]);
  it.each([undefined, 1])('in chunks of %s', (chunk) => {
    const options = { dialect, ...(chunk && { chunk }) };
    expect(readCalls(text, destructive, options).calls).toMatchObject([{ status: 'invalid' }]);
    expect(readCalls(text, writing, options)).toMatchObject({
      text: '',
      calls: [{ status: 'mended', input: { path: 'build' } }],
    });
  });
});

describe('a list that the length limit ends', () => {
  it.each(['llama4-pythonic', 'json-array', 'mistral'] as const)('%s is inferred without its bracket', (dialect) => {
    for (const text of [exact[dialect].slice(0, -1), `${exact[dialect].slice(0, -1)}, `]) {
      const options = { dialect, truncated: true };
      expect(readCalls(text, destructive, options).calls).toMatchObject([{ status: 'invalid' }]);
      expect(readCalls(text, writing, options).calls).toMatchObject([{ status: 'mended', input: { path: 'build' } }]);
    }
  });
});

describe('guards', () => {
  it.each(Object.entries(exact))('guard: %s runs an exact call', (dialect, text) => {
    for (const more of ['', '\n', '<|im_end|>'])
      for (const truncated of [false, true])
        expect(readCalls(text + more, destructive, { dialect, truncated }).calls).toMatchObject([{ status: 'ok' }]);
  });

  it('guard: only the call with the fault is inferred', () => {
    const other = exact.hermes.replace('build', 'dist');
    const { calls } = readCalls(`${exact.hermes.replace('\n</tool_call>', '')}\n${other}`, writing, {
      dialect: 'hermes',
    });
    expect(calls.map(({ status }) => status).at(-1)).toBe('ok');
  });

  it('guard: a call that its models never close is exact', () => {
    const text = `<function_call> ${json}`;
    expect(readCalls(text, destructive, { dialect: 'granite-20b-fc' }).calls).toMatchObject([{ status: 'ok' }]);
  });
});
