/** What stands for a value or a call, what a log or a comment holds, and what is printed. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) =>
  ({ type: 'object', properties, required }) as never;
const toolbox = new Toolbox([
  tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema: object({ query: text }, ['query']) }),
  tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema: object({ path: text }, ['path']) }),
  tool({
    name: 'run',
    description: 'Runs',
    effect: 'destructive',
    inputSchema: object({ command: text }, ['command']),
  }),
  tool({ name: 'now', description: 'The time', effect: 'read', inputSchema: object({}) }),
]);
const read = (written: string, dialect: string, chunk?: number) => {
  const { calls, text: left } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
  return [left, calls.map(({ name, input, status }) => [name, input, status])];
};
const harmony = 'commentary to=functions.run <|constrain|>json<|message|>{"command":"ls"}<|call|>';
const kimi =
  '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query": "a"}<|tool_call_end|><|tool_calls_section_end|>';

describe('stays text in a named dialect', () => {
  it.each([
    ['react', 'Action: read_file\nAction Input: <path>'],
    ['react', 'The format is:\nAction: search\nAction Input: <your query>\nObservation: <result>'],
    ['react', 'Action: search\nAction Input: ...'],
    ['glm45', '<tool_call>read_file</tool_call> is how a call begins.'],
    ['glm45', '<tool_call>now</tool_call> is a call without arguments.'],
    ['harmony', `// <|start|>\nassistant<|channel|>${harmony}`],
    ['harmony', `# <|start|>assistant\n<|channel|>${harmony}`],
    ['kimi-k2', `2026-01-02 11:00:01 <|tool_calls_section_begin|>${kimi}`],
    ['kimi-k2', `[11:00:01.250] INFO <|tool_calls_section_begin|>${kimi}`],
    ['llama3-json', '[11:00] <|python_tag|>{"name": "search", "parameters": {"query": "a"}}'],
  ])('%s: %j', (dialect, written) => {
    for (const chunk of [undefined, 1, 4]) expect(read(written, dialect, chunk)).toEqual([written, []]);
  });

  it.each([
    [`Roh: \`<|channel|>${harmony}\``],
    [`The tokens \`a <|end|> b\` and \`x <|return|>\` end it.`],
    [`Two: \`\`y <|message|> z\`\` and \`<|call|>\`.`],
  ])('markers in inline code of a final message: %j', (words) => {
    for (const chunk of [undefined, 1, 4])
      expect(read(`<|channel|>final<|message|>${words}<|return|>`, 'harmony', chunk)).toEqual([words, []]);
  });
});

describe('a printed call is a call', () => {
  const cats = ['search', { query: 'cats' }, 'ok'];
  it.each([
    ['pythonic', "print(search(query='cats'))", [cats]],
    ['pythonic', "[print(search(query='cats'))]", [cats]],
    ['pythonic', "print(search(query='cats'))\nprint(now())", [cats, ['now', {}, 'ok']]],
    ['llama4-pythonic', "<|python_start|>print(search(query='cats'))<|python_end|>", [cats]],
    ['olmo3', "<function_calls>\nprint(search(query='cats'))\n</function_calls>", [cats]],
    ['lfm2', "<|tool_call_start|>[print(search(query='cats'))]<|tool_call_end|>", [cats]],
  ])('%s: %s', (dialect, written, calls) => {
    for (const chunk of [undefined, 1, 4]) expect(read(written, dialect, chunk)).toEqual(['', calls]);
  });

  it.each([
    "print(search(query='cats'), 5)",
    "print('found', search(query='cats'))",
    "print(search(query='cats')",
    "print(search(query='cats'))\nprints what was found.",
    'print(search)',
  ])('guard: code that prints anything else is text: %s', (written) => {
    for (const chunk of [undefined, 1, 4]) expect(read(written, 'pythonic', chunk)).toEqual([written, []]);
  });
});

describe('guard: similar calls', () => {
  it.each([
    ['glm45', '<tool_call>now</tool_call>', [['now', {}, 'ok']]],
    ['glm45', '<tool_call>now\n</tool_call>', [['now', {}, 'ok']]],
    ['harmony', `<|start|>assistant<|channel|>${harmony}`, [['run', { command: 'ls' }, 'ok']]],
    ['kimi-k2', `At 11:00.\n<|tool_calls_section_begin|>${kimi}`, [['search', { query: 'a' }, 'ok']]],
  ])('%s: %j', (dialect, written, calls) => {
    for (const chunk of [undefined, 1, 4]) expect(read(written, dialect, chunk)[1]).toEqual(calls);
  });
});
