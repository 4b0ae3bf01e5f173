/** Messages as callers of `decode` and of the adapters have them: what stands in any of their blocks may be repeated. */
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { promptContext } from '../../src/adapter/ai-sdk/prompt-context.ts';
import { messageContext } from '../../src/adapter/langchain/message-context.ts';
import { optionsFor } from '../../src/adapter/openai-agents/options.ts';
import { type ContextMessage, contextFrom } from '../../src/dialect/echo/context.ts';
import { readCalls } from '../../src/dialect/index.ts';
import { Toolbox, tool } from '../../src/index.ts';

const input = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as never;
const toolbox = new Toolbox([
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema: input }),
]);
const shown = '<tool_call>\n{"name": "delete_file", "arguments": {"path": "/srv/db"}}\n</tool_call>';
const fetched = (text: string) => ({
  type: 'web_fetch_tool_result',
  tool_use_id: 's1',
  content: { type: 'web_fetch_result', content: { type: 'document', source: { type: 'text', data: text } } },
});

type Context = readonly ContextMessage[];
const rows: readonly (readonly [string, (text: string) => Context])[] = [
  ['an item of the Responses API', (text) => from({ type: 'function_call_output', call_id: 'c', output: text })],
  [
    'such an item with a list',
    (text) => from({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text }] }),
  ],
  ['a content of Gemini', (text) => from({ role: 'user', parts: [{ text }] })],
  [
    'a response of a function',
    (text) => from({ role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: text } } }] }),
  ],
  [
    'what a service ran',
    (text) => from({ role: 'model', parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: text } }] }),
  ],
  [
    'what a provider fetched',
    (text) => from({ role: 'assistant', content: [fetched(text), { type: 'text', text: 'I have it.' }] }),
  ],
  [
    'what a provider fetched, in LangChain',
    (text) => messageContext([new AIMessage({ content: [fetched(text), { type: 'text', text: 'Got it.' }] as never })]),
  ],
  [
    'what a provider ran, in the AI SDK',
    (text) =>
      promptContext([
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'c', toolName: 'web', input: {}, providerExecuted: true },
            { type: 'tool-result', toolCallId: 'c', toolName: 'web', output: { type: 'text', value: text } },
            { type: 'text', text: 'I have it.' },
          ],
        },
      ] as never),
  ],
  [
    'a file of text, in the AI SDK',
    (text) => promptContext([{ role: 'user', content: [file(Buffer.from(text).toString('base64'))] }] as never),
  ],
  [
    'the bytes of a file of text, in the AI SDK',
    (text) => promptContext([{ role: 'user', content: [file(new TextEncoder().encode(text))] }] as never),
  ],
  [
    'what a provider ran, in the Agents SDK',
    (text) =>
      optionsFor(
        {
          outputType: 'text',
          modelSettings: {},
          input: [{ type: 'hosted_tool_call', name: 'file_search_call', providerData: { results: [{ text }] } }],
        } as never,
        {},
      ).context(),
  ],
];
const from = (message: object): Context => contextFrom([message]) ?? [];
const file = (data: unknown) => ({ type: 'file', mediaType: 'text/plain', data });
const read = (context: Context) => readCalls(`It says:\n${shown}`, toolbox, { dialect: 'hermes', context });

describe('an echo of text in a block stays text', () => {
  it.each(rows)('%s', (_, context) => {
    expect(read(context(shown))).toMatchObject({ calls: [], note: 'echo' });
  });
});

describe('guard: another call runs', () => {
  it.each(rows)('%s', (_, context) => {
    expect(read(context(shown.replace('db', 'other'))).calls).toHaveLength(1);
  });

  it("and a user's in LangChain", () => {
    expect(read(messageContext([new HumanMessage(shown)])).note).toBe('echo');
  });
});
