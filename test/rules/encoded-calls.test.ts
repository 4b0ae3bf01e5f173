/** Calls in text: a call inside a JSON string is text; the encoded arguments of a call are read as `mend()` reads them. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string } from './mend-with.ts';

const inputSchema = closed({ path: string, mode: string }, ['path']) as { type: 'object' };
const toolbox = new Toolbox([
  tool({ name: 'get', description: 'Gets a file', effect: 'read', inputSchema }),
  tool({ name: 'put', description: 'Puts a file', inputSchema }),
]);
const encoded = (value: string, times = 1): string => (times === 0 ? value : encoded(JSON.stringify(value), times - 1));
const call = '{"name": "put", "arguments": {"path": "a"}}';
const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;

describe('Calls in text: a call inside a JSON string is text', () => {
  const expectText = (text: string) => {
    for (const mode of [{}, { prompted: true }, { dialect: 'generic-json' }])
      expect(readCalls(text, toolbox, mode)).toMatchObject({ calls: [], text });
  };
  it.each([
    encoded('put(path="a")'),
    encoded(`<tool_call>${call}</tool_call>`),
    `[${encoded(call)}]`,
    `[${encoded(call)}, ${encoded(call)}]`,
    `['${call}']`,
    `{"tool_calls": [${encoded(call)}]}`,
  ])('%s', expectText);
  it.each([
    encoded(call),
    encoded(call, 2),
    encoded(`[${call}]`),
    fenced(encoded(call)),
    `Here is the call:\n${encoded(call)}`,
    `Here is the call:\n${fenced(encoded(call))}`,
    `{"tool_call": ${encoded(call)}}`,
  ])('guard: %s', expectText);
});

const forms: Readonly<Record<string, (given: string) => string>> = {
  hermes: (given) => `<tool_call>{"name": "get", "arguments": ${given}}</tool_call>`,
  mistral: (given) => `[TOOL_CALLS]get[ARGS]${given}`,
  'generic-json': (given) => `{"name": "get", "arguments": ${given}}`,
  'kimi-k2': (given) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.get:0<|tool_call_argument_begin|>${given}<|tool_call_end|><|tool_calls_section_end|>`,
  harmony: (given) =>
    `<|start|>assistant<|channel|>commentary to=functions.get <|constrain|>json<|message|>${given}<|call|>`,
  apertus: (given) => `<|tools_prefix|>[{"get": ${given}}]<|tools_suffix|>`,
  'functionary-v31': (given) => `<function=get>${given}</function>`,
  'functionary-v32': (given) => `>>>get\n${given}`,
  'deepseek-v3': (given) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get\n\`\`\`json\n${given}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  'deepseek-v31': (given) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get<｜tool▁sep｜>${given}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  react: (given) => `Thought: I need it\nAction: get\nAction Input: ${given}`,
};
const object = '{"path": "a\\nb \\"c\\"", "mode": "r"}';
const input = JSON.parse(object) as object;

/** The dialects that always read arguments that are encoded once. */
const readOnceBefore = ['hermes', 'generic-json', 'apertus'];

describe.each(Object.entries(forms))('Calls in text: encoded arguments, %s', (dialect, write) => {
  it.each([
    [readOnceBefore.includes(dialect) ? 'guard: ' : '', 1],
    ['', 2],
    ['', 3],
  ] as const)('%s%i times', (_, times) => {
    const given = encoded(object, times);
    expect(mend({ name: 'get', arguments: given }, toolbox)).toMatchObject({ status: 'mended', input });
    for (const chunk of [1, 7, 1000]) {
      const { calls, text } = readCalls(write(given), toolbox, { dialect, chunk });
      expect(calls).toMatchObject([{ name: 'get', input, problems: [] }]);
      expect(calls[0]?.repairs.every(({ certainty }) => certainty === 'lossless')).toBe(true);
      expect(text).toBe('');
    }
  });
  it('guard: that are cut off, or followed by text, never run', () => {
    const text = write(encoded(object));
    const end = text.lastIndexOf('\\"r');
    for (const cut of [text.slice(0, end), text.slice(0, end + 3)])
      for (const truncated of [true, false])
        expect(readCalls(cut, toolbox, { dialect, truncated }).calls.some(({ status }) => status !== 'invalid')).toBe(
          false,
        );
  });
});

describe('Calls in text: encoded arguments of bare and prompted calls', () => {
  const objects = (given: string): string[] => [
    `{"name": "put", "arguments": ${given}}`,
    `[{"name": "put", "arguments": ${given}}]`,
    `{"function": {"name": "put", "arguments": ${given}}}`,
    fenced(`{"name": "put", "parameters": ${given}}`),
  ];
  const expectRead = (text: string) => {
    for (const mode of [{}, { prompted: true }])
      expect(readCalls(text, toolbox, mode).calls).toMatchObject([{ name: 'put', input, problems: [] }]);
  };
  const [inObject = '', inList = '', inFunction = '', inFence = ''] = objects(encoded(object, 2));
  it.each([inObject, inList, inFence, ...objects(encoded(object, 3))])('%s', expectRead);
  it.each([...objects(encoded(object)), inFunction])('guard: %s', expectRead);
  it.each(['"a"', '"path: a"', '5', '"null"'])('guard: %s is data', (given) => {
    for (const mode of [{}, { prompted: true }])
      expect(readCalls(`{"name": "put", "arguments": ${given}}`, toolbox, mode).calls).toEqual([]);
  });
  it('guard: a list of Python calls in quotes is read where it was asked for', () => {
    expect(readCalls(`["get(path='a')"]`, toolbox, { prompted: true }).calls).toMatchObject([{ input: { path: 'a' } }]);
  });
});
