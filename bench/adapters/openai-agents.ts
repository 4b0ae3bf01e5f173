import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { mendProvider } from '../../src/adapter/openai-agents/mend-model.ts';
import type { Framework } from './framework.ts';

/** The parameters of a tool that isn't strict, in the SDK's format. */
interface OpenParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}

/** OpenAI Agents over Chat Completions, with complete responses and tools as from an MCP server: exposed, not checked. */
export const framework: Framework = {
  name: 'OpenAI Agents 0.20',
  page: 'docs/guides/openai-agents.md',
  async run({ baseUrl, model, tools: definitions, work, adapted, steps }) {
    const own = new OpenAIProvider({ baseURL: baseUrl, apiKey: 'none', useResponses: false });
    const modelProvider = adapted ? mendProvider(own) : own;
    const tools = definitions.map(({ name, description, inputSchema }) => {
      const parameters = inputSchema as unknown as OpenParameters;
      const made = tool({ name, description, strict: false, parameters, execute: (input) => work(name, input) });
      // The SDK would change the names, and the model would call tools that don't exist.
      return { ...made, name };
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    await runner.run(new Agent({ name: 'Agent', model, tools }), 'Go on.', { maxTurns: steps });
  },
};
