/** Where a model was asked to answer in calls, where one stands decides whether it may destroy: no list of words does. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: input }),
  tool({ name: 'set_user', description: 'Writes', effect: 'write', inputSchema: input }),
  tool({
    name: 'wipe_user',
    description: 'Wipes',
    effect: 'destructive',
    minCertainty: 'inferred',
    inputSchema: input,
  }),
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', inputSchema: input }),
]);
const read = (text: string) => {
  const { calls, text: left } = readCalls(text, toolbox, { prompted: true });
  return calls.length === 0 && left === text ? 'text' : calls.map(({ name, status }) => `${name} ${status}`).join();
};

describe('prompted: a destructive call is text', () => {
  it.each([
    ['["delete_user(id=5)"]'],
    ['["get_user(id=5)", "delete_user(id=5)"]'],
    ['`delete_user(id=5)`'],
    ['// delete_user(id=5)'],
    ['-- delete_user(id=5)'],
    ['not delete_user(id=5)'],
    ['lambda: delete_user(id=5)'],
    ['Si vous confirmez, je lance delete_user(id=5).'],
    ['Non userei mai delete_user(id=5)'],
    ['Нельзя вызывать delete_user(id=5)'],
    ['<pre>{"name": "delete_user", "arguments": {"id": 5}}</pre>'],
    ['<tool_response>\n{"name": "delete_user", "arguments": {"id": 5}}\n</tool_response>'],
    ['„delete_user(id=5)“'],
    ['《delete_user(id=5)》'],
  ])('%j', (text) => expect(read(text)).toBe('text'));
});

describe('guard: prompted: calls run', () => {
  it.each([
    ['delete_user(id=5)', 'delete_user ok'],
    ['[delete_user(id=5)]', 'delete_user ok'],
    ['[get_user(id=5), delete_user(id=5)]', 'get_user ok,delete_user ok'],
    ['{"name": "delete_user", "arguments": {"id": 5}}', 'delete_user ok'],
    ['```json\n[{"name": "delete_user", "arguments": {"id": 5}}]\n```', 'delete_user ok'],
    ['["get_user(id=5)"]', 'get_user ok'],
    ['I call: get_user(id=5)', 'get_user ok'],
  ])('%j', (text, calls) => expect(read(text)).toBe(calls));
});

describe('prompted: words on the line before a call that writes make it text, in any language', () => {
  it.each([
    'Ik roep dit niet aan: set_user(id=5)',
    'Nunca llamaría a esto: set_user(id=5)',
    '我不会调用这个：set_user(id=5)',
    'これは呼び出しません：set_user(id=5)',
    'लेकिन यह नहीं: set_user(id=5)',
    'Bunu asla yapmam: {"name": "set_user", "arguments": {"id": 5}}',
  ])('%j', (text) => expect(read(text)).toBe('text'));
});

describe('prompted: a short sentence after a call that writes revokes it, in any language', () => {
  it.each([
    'set_user(id=5)\n\nBitte bestätigen.',
    'set_user(id=5)\n\nPor favor, confirme.',
    'set_user(id=5)\n\n请确认。',
    'set_user(id=5)\n\nPodpořte to prosím potvrzením.',
  ])('%j', (text) => expect(read(text)).toBe('text'));
});

describe('prompted: a destructive call never runs next to text, whatever its tool accepts', () => {
  it.each([
    'Das mache ich nicht.\n\nwipe_user(id=5)',
    'Je ne le ferai pas.\n\n{"name": "wipe_user", "arguments": {"id": 5}}',
    '절대 실행하지 않겠습니다.\n\n[wipe_user(id=5)]',
    'لن أفعل ذلك.\n\nwipe_user(id=5)',
  ])('%j', (text) => expect(read(text)).not.toMatch(/ok|mended/));
});

describe('guard: prompted: a line above a call introduces it', () => {
  it.each([
    ['So:\nset_user(id=5)', 'set_user ok'],
    ['I set it.\n\nset_user(id=5)', 'set_user ok'],
    ['wipe_user(id=5)', 'wipe_user ok'],
  ])('%j', (text, calls) => expect(read(text)).toBe(calls));
});

describe('prompted: a wrapper that calls do not have is an inference', () => {
  const call = '{"name": "delete_user", "arguments": {"id": 5}}';
  it.each([
    `{"tool_calls": [${call}]}`,
    `{"calls": [${call}]}`,
    `{"function_call": ${call}}`,
    `{"tool_call": ${call}}`,
    `\`\`\`json\n{"function_calls": [${call}]}\n\`\`\``,
    '{"action": "delete_user", "action_input": {"id": 5}}',
  ])('%j', (text) => expect(read(text)).not.toMatch(/ok|mended/));
  it('guard: runs a call without one', () => expect(read(call)).toBe('delete_user ok'));
});

describe('prompted: a call that writes is refused beside a result that the model made up', () => {
  const call = (name: string) => `{"name": "${name}", "arguments": {"id": 5}}`;
  it.each([
    `<tool_call>${call('set_user')}</tool_call>\n<tool_response>ok</tool_response>\n<tool_call>${call('set_user')}</tool_call>`,
    `${call('set_user')}\n<tool_response>ok</tool_response>\n${call('set_user')}`,
  ])('%j', (text) => expect(read(text)).not.toMatch(/ok|mended/));
});
