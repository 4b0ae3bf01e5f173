import type { AgentOutputItem, Model, ModelRequest, StreamEvent } from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents-core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { mend } from '../../mend/mend.ts';
import { mendedModel } from './mend-model.ts';
import { requestTools } from './request-tools.ts';

const request: ModelRequest = {
  input: 'Go.',
  modelSettings: {},
  handoffs: [],
  tracing: false,
  outputType: 'text',
  tools: [
    {
      type: 'function',
      name: 'read_file',
      description: 'Reads a file',
      strict: false,
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
        required: ['path'],
        additionalProperties: true,
      },
    },
  ],
};

const written = fc.constantFrom(
  ...['{"path": "a.ts"}', "{path: 'a.ts',}", '{"path": "a.ts", "lines": "[1, 2]"}', '{"path": "a.ts"', '{"path": "a.t'],
  ...['', '{}', 'null', '{"path": 5}', '{"lines": [1]}', '[]', '```json\n{"path": "a.ts"}\n```'],
);
const name = fc.constantFrom('read_file', 'ReadFile', 'functions.read_file', 'launch', '⚙', '');
const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc
    .tuple(fc.string({ maxLength: 10 }), written)
    .map(([before, args]) => `${before}<tool_call>\n{"name": "read_file", "arguments": ${args}}\n</tool_call>`),
);
const item: fc.Arbitrary<AgentOutputItem> = fc.oneof(
  fc
    .tuple(name, written, fc.constantFrom('a', 'b', 'c'))
    .map(([called, args, callId]) => functionCall(called, args, { callId })),
  words.map((text) => assistantMessage(text, { id: 'm' })),
  fc.constant<AgentOutputItem>({ type: 'hosted_tool_call', name: 'web_search_call', id: 'w', status: 'completed' }),
);

const { usage } = await new ScriptedModel([modelResponse([])]).getResponse(request);

/** A model that gives the same answer to everything, in pieces where it streams. */
const model = (output: AgentOutputItem[], size: number): Model => ({
  getResponse: async () => ({ usage, output: structuredClone(output), responseId: 'r' }),
  async *getStreamedResponse() {
    yield { type: 'response_started' };
    const texts = output.flatMap((one) => ('role' in one && one.role === 'assistant' ? one.content : []));
    for (const piece of texts)
      for (let at = 0; piece.type === 'output_text' && at < piece.text.length; at += size)
        yield { type: 'output_text_delta', delta: piece.text.slice(at, at + size), itemId: 'm' };
    const counts = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    // biome-ignore lint/suspicious/noExplicitAny: the SDK names the items of a stream by another type
    yield { type: 'response_done', response: { id: 'r', usage: counts, output: structuredClone(output) as any } };
  },
});

/** Items without the ids that are made up. */
const bare = (output: readonly AgentOutputItem[]): unknown[] =>
  output.map((one) => (one.type === 'function_call' ? { ...one, callId: '', providerData: undefined } : one));

async function streamed(from: Model): Promise<{ events: StreamEvent[]; output: AgentOutputItem[]; heard: string }> {
  const events: StreamEvent[] = [];
  for await (const event of from.getStreamedResponse(request)) events.push(event);
  const done = events.at(-1);
  const heard = events.map((event) => (event.type === 'output_text_delta' ? event.delta : '')).join('');
  return { events, heard, output: done?.type === 'response_done' ? (done.response.output as AgentOutputItem[]) : [] };
}

const wordsOf = (output: readonly AgentOutputItem[]): string =>
  output
    .flatMap((one) => ('role' in one && one.role === 'assistant' ? one.content : []))
    .map((piece) => (piece.type === 'output_text' ? piece.text : ''))
    .join('');

describe('a mended model', () => {
  it('returns the same for a stream as for the complete response, and no call that must not run', async () => {
    const { toolbox } = requestTools(request);
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), async (output, size) => {
        const mended = mendedModel(model(output, size), { retries: 0 }, new Map());
        const whole = await mended.getResponse(request);
        const stream = await streamed(mended);
        expect(bare(stream.output)).toEqual(bare(whole.output));
        expect(stream.events.filter(({ type }) => type !== 'output_text_delta')).toHaveLength(2);
        const left = wordsOf(whole.output);
        expect(stream.heard.replaceAll(/\s/g, '')).toBe(left.replaceAll(/\s/g, ''));
        const ids = whole.output.flatMap((one) => (one.type === 'function_call' ? one.callId : []));
        expect(new Set(ids).size).toBe(ids.length);
        for (const one of whole.output) {
          if (one.type !== 'function_call') continue;
          expect(mend({ name: one.name, arguments: one.arguments }, toolbox).status).toBe('ok');
        }
        expect(whole.output.filter(({ type }) => type === 'hosted_tool_call')).toEqual(
          output.filter(({ type }) => type === 'hosted_tool_call'),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
