/** What only looks like a call in an answer: data with a tool's name in it, where no tools are offered, and the other way. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const toolbox = new Toolbox([
  tool({
    name: 'delete_user',
    description: 'Deletes a user',
    effect: 'destructive',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  }),
  tool({
    name: 'reset_database',
    description: 'Empties all tables',
    effect: 'destructive',
    inputSchema: { type: 'object' },
  }),
  tool({ name: 'now', description: 'The time', effect: 'read', inputSchema: { type: 'object', properties: {} } }),
  tool({
    name: 'update_config',
    description: 'Sets a value',
    inputSchema: { type: 'object', properties: { key: text, value: text }, required: ['key', 'value'] },
  }),
]);
const ran = (answer: string, options: Parameters<typeof readCalls>[2] = {}, chunk?: number) =>
  readCalls(answer, toolbox, { ...options, ...(chunk && { chunk }) })
    .calls.filter(({ status }) => status !== 'invalid')
    .map(({ name, input }) => [name, input]);

describe('prompted: an object with keys that calls lack is data', () => {
  it.each([
    '{"name": "delete_user", "arguments": {"id": 5}, "approved": false}',
    '{"name": "delete_user", "arguments": {"id": 5}, "executed": true, "result": "ok"}',
    '{"tool": "delete_user", "args": {"id": 5}, "decision": "deny", "reason": "no consent on file"}',
    '{"dry_run": true, "name": "delete_user", "arguments": {"id": 5}}',
    '{"name": "delete_user", "arguments": {"id": 5}, "status": "rejected"}',
    '[{"time": "11:04", "name": "delete_user", "arguments": {"id": 5}}, {"time": "11:05", "name": "now", "arguments": {}}]',
    '{"status": "needs_confirmation", "function": {"name": "delete_user", "arguments": {"id": 5}}}',
    '{"answer": "I would call delete_user", "call": {"name": "delete_user", "arguments": {"id": 5}}}',
    '{"answer": "No.", "action": "none", "call": {"name": "delete_user", "arguments": {"id": 5}}}',
    '{"result": {"name": "delete_user", "arguments": {"id": 5}}, "success": true}',
    '{"action": "none", "name": "delete_user", "arguments": {"id": 5}}',
    '{"jsonrpc": "2.0", "id": 1, "method": "delete_user", "params": {"id": 5}}',
    '{"method": "delete_user", "params": {"id": 5}}',
    '{"tools": [{"name": "reset_database"}, {"name": "delete_user"}]}',
    '{"functions": [{"name": "reset_database"}]}',
    '[{"name": "reset_database"}, {"name": "now"}]',
    '{"name": "reset_database", "description": "Empties all tables"}',
    '```json\n{"name": "delete_user", "arguments": {"id": 5}, "approved": false}\n```',
  ])('%s', (answer) => {
    for (const chunk of [undefined, 1, 7]) {
      const reading = readCalls(answer, toolbox, { prompted: true, ...(chunk && { chunk }) });
      expect([reading.calls, reading.text]).toEqual([[], answer]);
    }
  });
});

describe('guard: prompted: an object with the keys of a call is a call', () => {
  it.each([
    '{"name": "delete_user", "arguments": {"id": 5}}',
    '{"id": "call_1", "type": "function", "name": "delete_user", "arguments": {"id": 5}}',
    '{"tool": "delete_user", "args": {"id": 5}}',
    '{"function": {"name": "delete_user", "arguments": {"id": 5}}}',
    '[{"name": "delete_user", "parameters": {"id": 5}}]',
  ])('%s', (answer) => expect(ran(answer, { prompted: true })).toEqual([['delete_user', { id: 5 }]]));
});

describe('without tools, text is not read for calls', () => {
  const none = new Toolbox([]);
  it.each([
    ['auto', '<tool_call>{"name": "delete_user", "arguments": {"id": 5}}</tool_call>'],
    ['auto', '[TOOL_CALLS]delete_user[ARGS]{"id": 5}'],
    ['auto', 'Done. <tool_call>{"name": "delete_user", "arguments": {"id": 5}}</tool_call> ok'],
    ['hermes', 'So.\n<tool_call>{"name": "delete_user", "arguments": {"id": 5}}</tool_call>'],
    ['kimi-k2', '<|tool_call_begin|>functions.delete_user:0<|tool_call_argument_begin|>{"id": 5}<|tool_call_end|>'],
    ['qwen3-coder', '<tool_call>\n<function=delete_user>\n<parameter=id>\n5\n</parameter>\n</function>\n</tool_call>'],
    ['pythonic', '[delete_user(id=5)]'],
    ['json-array', '[{"name": "delete_user", "arguments": {"id": 5}}]'],
  ])('%s: %s', (dialect, answer) => {
    for (const chunk of [undefined, 1, 7]) {
      const reading = readCalls(answer, none, { dialect, ...(chunk && { chunk }) });
      expect([reading.calls, reading.text]).toEqual([[], answer]);
    }
  });
  it.each(['{"name": "delete_user", "arguments": {"id": 5}}', '[delete_user(id=5)]', 'delete_user(id=5)'])(
    'prompted: %s',
    (answer) => {
      const reading = readCalls(answer, none, { prompted: true });
      expect([reading.calls, reading.text]).toEqual([[], answer]);
    },
  );
});

describe('a call without arguments is an echo only of a written call', () => {
  const answer = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
  const read = (content: string) => ran(answer, { dialect: 'hermes', context: [{ role: 'user', content }] });
  it.each([
    'My package.json: {"name": "now", "type": "module"}. What time is it?',
    'Here is our tool list: [{"name": "now"}, {"name": "search"}]. What time is it?',
    'Config: {"server": {"name": "now", "id": "x1"}}. What time is it?',
    'Our jobs are [{"name": "now", "type": "job"}].',
    'It said now()',
    'Please call now() and tell me.',
  ])('guard: %s', (content) => expect(read(content)).toEqual([['now', {}]]));
  it.each([
    'They wrote <tool_call>{"name": "now", "arguments": {}}</tool_call>',
    'They wrote <tool_call>{"name": "now"}</tool_call>',
    '{"name": "now", "arguments": {}}',
    '{"tool_calls": [{"name": "now"}]}',
  ])('guard: %s', (content) => expect(read(content)).toEqual([]));
});

describe('a call with an id can be an echo', () => {
  const answer = '<tool_call>{"name": "delete_user", "arguments": {"id": 5}}</tool_call>';
  it.each([
    '[TOOL_CALLS]delete_user[CALL_ID]a1b2c3d4e[ARGS]{"id": 5}',
    '[TOOL_CALLS]delete_user[CALL_ID]abc123def[ARGS]{"id":5}',
    'The log: [TOOL_CALLS]delete_user[CALL_ID]call_1-2[ARGS] {"id": 5}',
  ])('%s', (content) =>
    expect(readCalls(answer, toolbox, { dialect: 'hermes', context: [{ role: 'tool', content }] })).toMatchObject({
      calls: [],
      note: 'echo',
      text: answer,
    }),
  );
  it('guard: different arguments are not an echo', () => {
    const context = [{ role: 'tool', content: '[TOOL_CALLS]delete_user[CALL_ID]a1b2c3d4e[ARGS]{"id": 6}' }];
    expect(ran(answer, { dialect: 'hermes', context })).toEqual([['delete_user', { id: 5 }]]);
  });
});

describe('names of types are values if the field has another type', () => {
  it.each([
    ['list', 'array'],
    ['int', 'float'],
    ['string', 'object'],
  ])('guard: %s, %s', (key, value) => {
    const answer = JSON.stringify({ name: 'update_config', arguments: { key, value } });
    expect(ran(answer)).toEqual([['update_config', { key, value }]]);
  });
  it('guard: the types themselves are a template', () => {
    const answer = '{"name": "update_config", "arguments": {"key": "string", "value": "str"}}';
    expect(readCalls(answer, toolbox)).toMatchObject({ calls: [], text: answer });
  });
});

describe('reasoning before a call without markers', () => {
  const rows = dialects.filter(({ name }) =>
    ['pythonic', 'llama4-pythonic', 'json-array', 'generic-json'].includes(name),
  );
  it.each(rows.map(({ name }) => [name === 'generic-json' ? 'guard: ' : '', name] as const))('%s%s', (_, dialect) => {
    const python = dialect.includes('pythonic');
    const call = python ? '[delete_user(id=5)]' : '[{"name": "delete_user", "arguments": {"id": 5}}]';
    const answer = `<think>They said "ok".</think>\n${call}`;
    for (const chunk of [undefined, 1, 7])
      expect(ran(answer, { dialect }, chunk)).toEqual([['delete_user', { id: 5 }]]);
  });
});

describe('prompted: quoted, shown or mentioned calls are text', () => {
  const around: readonly (readonly [string, (call: string) => string])[] = [
    ['inline code', (call) => `The payload would be \`${call}\`. I have not sent it.`],
    ['a blockquote', (call) => `> ${call}\n\nThat is the quote. I won't do it.`],
    ['a comment', (call) => `<!-- ${call} -->\nNothing was sent.`],
    ['a table', (call) => `| n | call |\n| --- | --- |\n| 1 | ${call} |`],
    ['a fence of another language', (call) => `\`\`\`bash\necho '${call}' | tool\n\`\`\``],
    ['quotes', (call) => `The agent wrote “${call}” and stopped.`],
    ['quotes alone', (call) => `'${call}'`],
    ['three quotes', (call) => `"""\n${call}\n"""`],
    ['a sentence', (call) => `The log shows that ${call} was called at 11:04.`],
    ['a rule', (call) => `Never call ${call} without a review.`],
    ['a question', (call) => `Shall I run ${call}?`],
    ['a question behind', (call) => `Option A: ${call}\nOption B: do nothing\nWhich one?`],
    ['a request to confirm', (call) => `Please confirm:\n\n\`\`\`json\n${call}\n\`\`\`\n\nType "yes" to go on.`],
    ['another language', (call) => `Ich habe nichts getan. Der Aufruf wäre ${call} gewesen.`],
  ];
  const written = [
    '{"name": "update_config", "arguments": {"key": "a", "value": "b"}}',
    'update_config(key="a", value="b")',
    '[update_config(key="a", value="b")]',
  ];
  it.each(around.flatMap(([where, wrap]) => written.map((call) => [where, wrap(call)] as const)))(
    '%s: %s',
    (_, answer) => {
      const reading = readCalls(answer, toolbox, { prompted: true });
      expect([reading.calls, reading.text]).toEqual([[], answer]);
    },
  );
  it.each(['["delete_user(id=5)", "no"]', '```yaml\ndelete_user: {"id": 5}\n```'])('%s', (answer) =>
    expect(readCalls(answer, toolbox, { prompted: true })).toMatchObject({ calls: [], text: answer }),
  );
  it.each(
    written.flatMap((call) => [
      call,
      `Sure, here it is:\n${call}`,
      `\`\`\`json\n${call}\n\`\`\``,
      `I call:\n${call}`,
      `\`${call}\``,
    ]),
  )('guard: %s', (answer) => {
    expect(ran(answer, { prompted: true })).toEqual([['update_config', { key: 'a', value: 'b' }]]);
  });
});
