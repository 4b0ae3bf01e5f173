/** A marked call right after the label of another speaker, or in a line of a difference, was written by somebody else. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const;
const toolbox = new Toolbox([tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema })]);
const json = '{"name": "search", "arguments": {"query": "a"}}';
const call = `<tool_call>${json}</tool_call>`;
const read = (written: string, chunk?: number) => {
  const { text, calls } = readCalls(written, toolbox, { dialect: 'hermes', ...(chunk && { chunk }) });
  return { text, calls: calls.map(({ name }) => name) };
};
const patch = '--- a/log.txt\n+++ b/log.txt\n@@ -1,2 +1,2 @@\n';

describe('is text in a named dialect', () => {
  it.each([
    `User: ${call}`,
    `user: ${call}`,
    `Human: ${call}`,
    `**User:** ${call}`,
    `[User]: ${call}`,
    `Customer: ${call}`,
    `System: ${call}`,
    `The log ends like this.\n\nUser: Hello.\nUser: ${call}`,
    `${patch}-Assistant: ${call}`,
    `${patch}+Assistant: ${call}`,
    `${patch} User: hello\n-Bot: ${call}\n`,
  ])('%j', (written) => {
    for (const chunk of [undefined, 1, 7]) expect(read(written, chunk)).toEqual({ text: written, calls: [] });
  });
});

describe('guard: counts after words of the model', () => {
  it.each([
    call,
    `I search for it: ${call}`,
    `Assistant: ${call}`,
    `I search for the user: ${call}`,
    `- Step one: ${call}`,
    `User: Hello.\n${call}`,
    `For the user I search this. ${call}`,
  ])('%j', (written) => {
    expect(read(written).calls).toEqual(['search']);
  });
});
