import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import type { Definition } from '../../../test/damage/definition.ts';
import { valid } from '../../../test/damage/valid.ts';
import type { Stage } from '../../one-call-model.ts';
import type { Contestant } from '../contestant.ts';
import { type ScriptedModel, steps } from '../scripted-model.ts';

/** The parameters of a tool that isn't strict, in the SDK's format. */
interface OpenParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}

/** OpenAI Agents over Chat Completions; the SDK doesn't check JSON Schemas, so a tool can check its input with ajv. */
export function openaiAgents(model: ScriptedModel, checked: boolean): Contestant {
  const toolOf = ({ name, description, inputSchema }: Definition, work: Stage['work']) => {
    const parameters = inputSchema as unknown as OpenParameters;
    const execute = (input: unknown): string => {
      if (checked && !valid(input, inputSchema)) throw new Error('It does not fit the schema');
      return work(name, input);
    };
    // The SDK would change the names, and the model would call tools that don't exist.
    return { ...tool({ name, description, strict: false, parameters, execute }), name };
  };
  const run = ({ baseUrl, work }: Stage, definitions: readonly Definition[]): Promise<unknown> => {
    const modelProvider = new OpenAIProvider({ baseURL: baseUrl, apiKey: 'none', useResponses: false });
    const tools = definitions.map((one) => toolOf(one, work));
    const agent = new Agent({ name: 'Agent', model: 'scripted', tools });
    return new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'Go on.', { maxTurns: steps });
  };
  return {
    name: checked ? 'OpenAI Agents + ajv' : 'OpenAI Agents',
    how: checked
      ? 'the same, with ajv at the start of each tool'
      : 'its `Runner`, tools with JSON Schema, not strict, as for MCP servers; it does not validate them',
    packages: ['@openai/agents'],
    answer: (tools, call) => model.play(call, (stage) => run(stage, tools)),
  };
}
