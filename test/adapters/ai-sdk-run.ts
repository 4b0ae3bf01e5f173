import { createOpenAI } from '@ai-sdk/openai';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModelMiddleware,
  type StopCondition,
  streamText,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import type { ModelRequest, ResultPart } from '../../src/model/index.ts';
import type { ScriptedTurn, ServedTurn } from '../../src/provider/scripted/script.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';

/** What came of a conversation with the SDK. */
export interface Ran {
  /** What the tools were run with, in order. */
  readonly inputs: readonly unknown[];
  /** What the model was told of its calls, turn by turn. */
  readonly told: readonly string[];
  /** What it was asked, turn by turn. */
  readonly asked: readonly ModelRequest[];
  readonly text: string;
  readonly finish: string;
  readonly steps: number;
  /** What the program reads of calls that the SDK refused. */
  readonly refused: readonly { readonly input: unknown; readonly error: string }[];
}

/** A model that says the same until it is told something that helps, or its call ran. */
export interface Conversation {
  readonly first: ServedTurn;
  /** The words that make it do better, and what it does then. */
  readonly helps?: RegExp;
  readonly better?: ScriptedTurn;
  readonly middleware?: LanguageModelMiddleware;
  readonly stream?: boolean;
  readonly stopWhen?: StopCondition<ToolSet>;
}

/** Steps a conversation may take. */
export const most = 6;

/** Plays a conversation to the real SDK, over its own client and a real socket. */
export async function converse({
  first,
  helps,
  better,
  middleware,
  stopWhen,
  stream = false,
}: Conversation): Promise<Ran> {
  const inputs: unknown[] = [];
  const told: string[] = [];
  const asked: ModelRequest[] = [];
  const server = await serveScripted((question: ModelRequest) => {
    asked.push(question);
    const words = lastResults(question).map(wordsOf).join('\n');
    if (words) told.push(words);
    if (inputs.length > 0) return 'Done.';
    return asked.length > 1 && helps?.test(lastWords(question)) ? (better ?? 'Done.') : first;
  });
  try {
    const own = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).chat('scripted');
    const model = middleware ? wrapLanguageModel({ model: own, middleware }) : own;
    const question = { model, tools: toolsThat((input) => inputs.push(input)), prompt: 'Go on.', maxRetries: 0 };
    const settings = { ...question, stopWhen: [isStepCount(most), ...(stopWhen ? [stopWhen] : [])] };
    const result = stream ? streamText({ ...settings, onError: () => {} }) : await generateText(settings);
    const [text, finish, steps] = await Promise.all([result.text, result.finishReason, result.steps]);
    const refused = steps.flatMap(({ toolCalls }) =>
      toolCalls.flatMap((one) => (one.invalid ? [{ input: one.input, error: String(one.error) }] : [])),
    );
    return { inputs, told, asked, text, finish, steps: steps.length, refused };
  } finally {
    await server.close();
  }
}

/** Tools of each kind the SDK knows: checked by Zod, and by nothing. */
export function toolsThat(run: (input: unknown) => void) {
  const execute = (input: unknown): string => {
    run(input);
    return 'It is done.';
  };
  return {
    read_file: tool({
      description: 'Reads a file',
      inputSchema: z.object({ path: z.string(), limit: z.number().int().optional() }),
      execute,
    }),
    read_files: tool({
      description: 'Reads files',
      inputSchema: z.object({ paths: z.array(z.string()), options: z.object({ deep: z.boolean() }).optional() }),
      execute,
    }),
    write_file: tool({
      description: 'Writes a file',
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      execute,
    }),
    now: tool({ description: 'Tells the time', inputSchema: z.object({}), execute }),
    mcp_search: tool({
      description: 'Searches, by a server that the SDK checks nothing for',
      inputSchema: jsonSchema({
        type: 'object',
        properties: { query: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
        required: ['query'],
      }),
      execute,
    }),
  };
}

function lastResults({ messages }: ModelRequest): ResultPart[] {
  const last = messages.at(-1);
  return last?.role === 'user' ? last.parts.filter((part) => part.type === 'result') : [];
}

const wordsOf = ({ content }: ResultPart): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

function lastWords(question: ModelRequest): string {
  const last = question.messages.at(-1);
  const said = last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
  return [...lastResults(question).map(wordsOf), ...said].join('\n');
}
