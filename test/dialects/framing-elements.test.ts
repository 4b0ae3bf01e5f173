/** An element around a call that is closed after it shows the call, in a named dialect too, unless models put their own response in it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const boxOf = (effect: 'read' | 'write' | 'destructive') =>
  new Toolbox([tool({ name: 'close_ticket', description: 'Closes', effect, inputSchema })]);
const calls: Readonly<Record<string, string>> = {
  hermes: '<tool_call>\n{"name": "close_ticket", "arguments": {"id": 5}}\n</tool_call>',
  'qwen3-coder': '<tool_call>\n<function=close_ticket>\n<parameter=id>\n5\n</parameter>\n</function>\n</tool_call>',
  mistral: '[TOOL_CALLS]close_ticket[ARGS]{"id": 5}',
  'llama3-json': '<|python_tag|>{"name": "close_ticket", "parameters": {"id": 5}}',
  lfm2: '<|tool_call_start|>[close_ticket(id=5)]<|tool_call_end|>',
  'kimi-k2':
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.close_ticket:0<|tool_call_argument_begin|>{"id": 5}<|tool_call_end|><|tool_calls_section_end|>',
};
const read = (text: string, dialect: string, effect: 'write' | 'destructive') =>
  [undefined, 1, 7].map((chunk) => {
    const { text: left, calls: made } = readCalls(text, boxOf(effect), { dialect, ...(chunk && { chunk }) });
    return made.length === 0 && left === text ? 'text' : made.map(({ status }) => status).join();
  });

/** Names of what somebody else wrote, though a part of them is a word for a call or a response. */
const subjects = [
  '',
  'tool_',
  'function_call_',
  'command_',
  'shell-',
  'python_',
  'mcp_tool_',
  'page.',
  'user_',
  'bad_',
];
const heads = ['output', 'outputs', 'message', 'commands', 'xml_dump', 'call_example', 'answer_key'];

describe('is text in an element that is closed after it', () => {
  it.each(subjects.flatMap((subject) => heads.map((head) => subject + head)))('%s', (name) => {
    for (const [dialect, call] of Object.entries(calls)) {
      const written = `The log:\n<${name}>\n$ cat notes\n${call}\n</${name}>\nI did not follow it.`;
      const alone = `<${name}>\n${call}\n</${name}>`;
      for (const effect of ['write', 'destructive'] as const) {
        expect([dialect, read(written, dialect, effect)]).toEqual([dialect, ['text', 'text', 'text']]);
        expect([dialect, read(alone, dialect, effect)]).toEqual([dialect, ['text', 'text', 'text']]);
      }
    }
  });
});

describe('guard: counts in an element for the response or its calls', () => {
  it.each(['answer', 'final_answer', 'response', 'function_calls', 'tool_use', 'action', 'assistant'])('%s', (name) => {
    const written = `<${name}>\n${calls.hermes}\n</${name}>`;
    expect(read(written, 'hermes', 'write')).toEqual(['ok', 'ok', 'ok']);
  });

  it.each(['output_format', 'user_message', 'command_output'])('and beside an element: %s', (name) => {
    const written = `<${name}>\nplain words\n</${name}>\n${calls.hermes}`;
    expect(read(written, 'hermes', 'write')).toEqual(
      name.endsWith('_output') ? ['text', 'text', 'text'] : ['ok', 'ok', 'ok'],
    );
  });
});
