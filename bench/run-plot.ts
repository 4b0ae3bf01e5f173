import { tool as aiTool, generateText, isStepCount, jsonSchema, type LanguageModel, streamText } from 'ai';
import type { Store } from '../src/log/store.ts';
import type { Model, TurnEvent, TurnResponse } from '../src/model/index.ts';
import { type Agent, agent } from '../src/run/agent.ts';
import { tool } from '../src/tools/tool.ts';

/** The same script for all contestants: a number of turns with one call each, then the final reply. */
const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, line: { type: 'integer', minimum: 1 } },
  required: ['path'],
  additionalProperties: false,
} as const;
const description = 'Reads a line of a file';
const written = (turn: number): string => JSON.stringify({ path: `src/file-${turn}.ts`, line: turn + 1 });
const answer = 'All of it was read.';
const question = 'Read them all.';
const work = ({ path, line = 1 }: { path: string; line?: number }): string => `${path}:${line} export const a = 1;`;

const stepsIn = (messages: readonly { readonly role: string }[]): number =>
  messages.filter(({ role }) => role === 'assistant').length;

/** A model of ours that answers with the next calls, or with words when all were made. */
const scriptOf = (calls: number, width: number): Model => ({
  name: 'bench',
  provider: 'bench',
  async *stream({ messages }): AsyncGenerator<TurnEvent> {
    const first = stepsIn(messages) * width;
    const called = first < calls;
    const parts = called
      ? Array.from({ length: width }, (_, at) => callOf(first + at))
      : [{ type: 'text', text: answer } as const];
    for (const [index, part] of parts.entries()) {
      const begun = part.type === 'call' ? { ...part, arguments: '' } : { ...part, text: '' };
      yield { type: 'part.started', index, part: begun };
      yield { type: 'part.delta', index, text: part.type === 'call' ? part.arguments : part.text };
      yield { type: 'part.finished', index, part };
    }
    const message = { role: 'assistant' as const, parts };
    const response: TurnResponse = { message, finish: called ? 'tool_calls' : 'stop', usage: { input: 10, output: 5 } };
    yield { type: 'turn.finished', response };
  },
});

const callOf = (at: number) => ({ type: 'call', id: `call_${at}`, name: 'read_line', arguments: written(at) }) as const;

/** An agent of ours on the plot, with so many calls in a turn. */
export const ours = (calls: number, store?: Store, width = 1): Agent =>
  agent({
    model: scriptOf(calls, width),
    guidance: false,
    textCalls: false,
    budgets: { steps: calls + 2 },
    ...(store && { store }),
    tools: [tool({ name: 'read_line', description, inputSchema: schema, effect: 'read', execute: work })],
  });

/** Runs the plot once, and makes sure that it went as it should. */
export async function runOnce(helper: Agent, calls: number): Promise<void> {
  const run = helper.run(question);
  const { end } = await run.result;
  if (end !== 'done' || run.calls().length !== calls)
    throw new Error(`A run ended as ${end} after ${run.calls().length} calls`);
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const finished = (called: boolean) => ({
  unified: called ? ('tool-calls' as const) : ('stop' as const),
  raw: undefined,
});

/** The same model for the AI SDK. */
const peerModel = (calls: number): Extract<LanguageModel, { readonly specificationVersion: 'v4' }> => ({
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const turn = stepsIn(prompt);
    const called = turn < calls;
    const content = called
      ? { type: 'tool-call' as const, toolCallId: `call_${turn}`, toolName: 'read_line', input: written(turn) }
      : { type: 'text' as const, text: answer };
    return { content: [content], finishReason: finished(called), usage, warnings: [] };
  },
  async doStream({ prompt }) {
    const turn = stepsIn(prompt);
    const called = turn < calls;
    const id = `call_${turn}`;
    const parts = called
      ? [
          { type: 'tool-input-start' as const, id, toolName: 'read_line' },
          { type: 'tool-input-delta' as const, id, delta: written(turn) },
          { type: 'tool-input-end' as const, id },
          { type: 'tool-call' as const, toolCallId: id, toolName: 'read_line', input: written(turn) },
        ]
      : [
          { type: 'text-start' as const, id },
          { type: 'text-delta' as const, id, delta: answer },
          { type: 'text-end' as const, id },
        ];
    const all = [
      { type: 'stream-start' as const, warnings: [] },
      ...parts,
      { type: 'finish' as const, finishReason: finished(called), usage },
    ];
    return { stream: ReadableStream.from(all) };
  },
});

/** The AI SDK's loop on the plot, whole and streamed. */
export function peers(calls: number): Record<'generateText' | 'streamText', () => Promise<void>> {
  const tools = {
    read_line: aiTool({
      description,
      inputSchema: jsonSchema<{ path: string; line?: number }>(schema as never),
      execute: async (input) => work(input),
    }),
  };
  const settings = { model: peerModel(calls), tools, stopWhen: isStepCount(calls + 2), prompt: question };
  const check = (steps: number): void => {
    if (steps !== calls + 1) throw new Error(`The AI SDK took ${steps} steps`);
  };
  return {
    generateText: async () => check((await generateText(settings)).steps.length),
    streamText: async () => {
      const result = streamText(settings);
      await result.consumeStream();
      check((await result.steps).length);
    },
  };
}
