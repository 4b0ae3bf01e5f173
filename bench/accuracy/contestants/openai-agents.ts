import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import type { Definition } from '../../../test/damage/definition.ts';
import { valid } from '../../../test/damage/valid.ts';
import type { Stage } from '../../one-call-model.ts';
import type { Contestant } from '../contestant.ts';
import { type ScriptedModel, steps } from '../scripted-model.ts';

/** What the SDK takes for the parameters of a tool that is not strict. */
interface OpenParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}

/** OpenAI Agents over Chat Completions; the SDK checks no JSON Schema, so that a tool may check its own input by ajv. */
export function openaiAgents(model: ScriptedModel, checked: boolean): Contestant {
  const toolOf = ({ name, description, inputSchema }: Definition, work: Stage['work']) => {
    const parameters = inputSchema as unknown as OpenParameters;
    const execute = (input: unknown): string => {
      if (checked && !valid(input, inputSchema)) throw new Error('It does not fit the schema');
      return work(name, input);
    };
    // The SDK would spell names its own way, and then the model would call what is not there.
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
