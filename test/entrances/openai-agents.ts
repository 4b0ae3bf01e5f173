import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { type FrameworkOptions, framework, type Play } from './framework.ts';
import { act } from './toolbox-of.ts';

const play =
  (useResponses: boolean, stream: boolean): Play =>
  async (url, one, on, onCall) => {
    const own = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses });
    const runner = new Runner({ modelProvider: mendProvider(own, { onCall }), tracingDisabled: true });
    const tools = one.tools.map((each) =>
      tool({
        ...{ name: each.name, description: each.description, strict: false },
        parameters: each.inputSchema as never,
        execute: async (input: unknown) => act(each, input, on),
      }),
    );
    const agent = new Agent({ name: 'Case', model: 'scripted', tools });
    if (stream) await (await runner.run(agent, 'Go on.', { stream })).completed;
    else await runner.run(agent, 'Go on.');
  };

const over = (wire: string, useResponses: boolean, stream: boolean, more: FrameworkOptions = {}) =>
  framework({ name: `OpenAI Agents, ${wire}`, column: 'OpenAI Agents' }, play(useResponses, stream), more);

const asksTwice = {
  cannot: { length: 'the SDK throws such an answer away, and the adapter asks for it once more, as a stream' },
};

/** The OpenAI Agents SDK with a mended provider, over both of its wires, whole and streamed. */
export const openaiAgents = [
  over('chat, whole', false, false),
  over('chat, streamed', false, true),
  over('responses, whole', true, false, asksTwice),
  over('responses, streamed', true, true),
];
