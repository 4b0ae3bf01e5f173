import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import { type AgentsOptions, mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { type Script, type ServedRequest, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';

/** How a run is made: with or without the adapter, over which wire, whole or streamed. */
export interface AgentsRun {
  readonly mends: boolean | AgentsOptions;
  readonly stream?: boolean;
  readonly responses?: boolean;
}

/** What came of a run. */
export interface AgentsEnd {
  /** What the tools were run with, in order. */
  readonly ran: unknown[];
  /** The final output; nothing where the run threw. */
  readonly said?: string | undefined;
  readonly error?: string;
  /** The words as they streamed. */
  readonly heard: string;
  readonly requests: readonly ServedRequest[];
  /** How many requests the SDK counted. */
  readonly counted?: number;
}

/** Runs a real agent of the SDK, with its own provider, on a model that plays a script. */
export async function agentsRun(
  script: Script<ServedTurn>,
  { mends, stream, responses }: AgentsRun,
): Promise<AgentsEnd> {
  const server = await serveScripted(script);
  const ran: unknown[] = [];
  let heard = '';
  try {
    const bare = new OpenAIProvider({ apiKey: 'none', baseURL: `${server.url}/v1`, useResponses: responses ?? false });
    const modelProvider = mends === false ? bare : mendProvider(bare, mends === true ? {} : mends);
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = agentOf((name, input) => ran.push({ name, input }));
    if (!stream) {
      const { finalOutput, state } = await runner.run(agent, 'Go.');
      return { ran, heard, said: finalOutput, requests: server.requests, counted: state.usage.requests };
    }
    const result = await runner.run(agent, 'Go.', { stream: true });
    for await (const event of result)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') heard += event.data.delta;
    await result.completed;
    return { ran, heard, said: result.finalOutput, requests: server.requests, counted: result.state.usage.requests };
  } catch (error) {
    return { ran, heard, error: String(error), requests: server.requests };
  } finally {
    await server.close();
  }
}

/** An agent with a tool of each kind that matters, and one to hand over to. */
function agentOf(note: (name: string, input: unknown) => void) {
  const readFile = tool({
    name: 'read_file',
    description: 'Reads a file',
    parameters: z.object({ path: z.string(), limit: z.number().nullable() }),
    execute: (input) => {
      note('read_file', input);
      return `of ${input.path}`;
    },
  });
  const now = tool({
    name: 'now',
    description: 'Tells the time',
    parameters: z.object({}),
    execute: (input) => {
      note('now', input);
      return 'noon';
    },
  });
  // As the SDK makes them of MCP tools: a schema that it shows and never checks.
  const pick = tool({
    name: 'pick_lines',
    description: 'Picks lines',
    strict: false,
    parameters: {
      type: 'object',
      properties: { lines: { type: 'array', items: { type: 'integer' } } },
      required: ['lines'],
      additionalProperties: true,
    },
    execute: (input) => {
      note('pick_lines', input);
      return 'picked';
    },
  });
  const helper = new Agent({ name: 'Helper', model: 'm' });
  return new Agent({ name: 'Files', model: 'm', tools: [readFile, now, pick], handoffs: [helper] });
}
