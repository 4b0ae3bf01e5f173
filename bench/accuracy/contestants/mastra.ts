import type { SchemaObject } from '../../../src/schema/types.ts';
import type { Definition } from '../../../test/damage/definition.ts';
import type { Stage } from '../../one-call-model.ts';
import type { Contestant } from '../contestant.ts';
import { type ScriptedModel, steps } from '../scripted-model.ts';

interface MastraAgent {
  readonly generate: (prompt: string, options: { readonly maxSteps: number }) => Promise<unknown>;
}

/** The parts of `@mastra/core`, and of the Zod for its schemas, that are used here. */
export interface Mastra {
  readonly Agent: new (settings: Readonly<Record<string, unknown>>) => MastraAgent;
  readonly createTool: (settings: Readonly<Record<string, unknown>>) => unknown;
  readonly fromJSONSchema: (schema: SchemaObject) => unknown;
}

/** Mastra's own agent. The schemas are Zod's, because only then it mends lists and objects written as text. */
export function mastra(model: ScriptedModel, { Agent, createTool, fromJSONSchema }: Mastra): Contestant {
  const toolOf = ({ name, description, inputSchema }: Definition, work: Stage['work']): unknown => {
    const execute = async (input: unknown): Promise<string> => work(name, input);
    return createTool({ id: name, description, inputSchema: fromJSONSchema(inputSchema), execute });
  };
  const run = ({ baseUrl, work }: Stage, definitions: readonly Definition[]): Promise<unknown> => {
    const tools = Object.fromEntries(definitions.map((one) => [one.name, toolOf(one, work)]));
    const own = { id: 'custom/scripted', url: baseUrl, apiKey: 'none' };
    const agent = new Agent({ id: 'agent', name: 'agent', instructions: 'Go on.', model: own, tools });
    return agent.generate('Go on.', { maxSteps: steps });
  };
  return {
    name: 'Mastra',
    how: 'its `Agent`, tools with Zod schemas converted from JSON Schema (`z.fromJSONSchema`)',
    packages: ['@mastra/core', 'zod'],
    answer: (tools, call) => model.play(call, (stage) => run(stage, tools)),
  };
}
