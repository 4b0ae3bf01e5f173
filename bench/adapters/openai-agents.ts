import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { mendProvider } from '../../src/adapter/openai-agents/mend-model.ts';
import type { Framework } from './framework.ts';

/** What the SDK takes for the parameters of a tool that is not strict. */
interface OpenParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}

/** OpenAI Agents over Chat Completions, answers whole, with tools as the SDK makes them of an MCP server's: shown, not checked. */
export const framework: Framework = {
  name: 'OpenAI Agents 0.20',
  page: 'docs/guides/openai-agents.md',
  async run({ baseUrl, model, tools: definitions, work, adapted, steps }) {
    const own = new OpenAIProvider({ baseURL: baseUrl, apiKey: 'none', useResponses: false });
    const modelProvider = adapted ? mendProvider(own) : own;
    const tools = definitions.map(({ name, description, inputSchema }) => {
      const parameters = inputSchema as unknown as OpenParameters;
      const made = tool({ name, description, strict: false, parameters, execute: (input) => work(name, input) });
      // The SDK would spell names its own way, and then the model would call what is not there.
      return { ...made, name };
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    await runner.run(new Agent({ name: 'Agent', model, tools }), 'Go on.', { maxTurns: steps });
  },
};
