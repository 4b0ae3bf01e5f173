/** Where a model was asked to answer in calls, where one stands decides whether it may destroy: no list of words does. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', input }),
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', input }),
]);
const read = (text: string) => {
  const { calls, text: left } = readCalls(text, toolbox, { prompted: true });
  return calls.length === 0 && left === text ? 'text' : calls.map(({ name, status }) => `${name} ${status}`).join();
};

describe('prompted: a call that would destroy is text', () => {
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

describe('guard: prompted: calls are made', () => {
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
