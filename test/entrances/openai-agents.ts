import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { type AgentTool, mendProvider, toAgentTools } from '../../src/adapter/openai-agents/index.ts';
import { type Conversation, framework, ownTools, type Play } from './framework.ts';
import { act } from './toolbox-of.ts';

const play =
  (useResponses: boolean, stream: boolean, toolsOf: (conversation: Conversation) => AgentTool[]): Play =>
  async (conversation) => {
    const { url, onCall } = conversation;
    const bare = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses });
    const runner = new Runner({ modelProvider: mendProvider(bare, { onCall }), tracingDisabled: true });
    const tools = toolsOf(conversation);
    const agent = new Agent({ name: 'Case', model: 'scripted', tools });
    if (stream) await (await runner.run(agent, 'Go on.', { stream })).completed;
    else await runner.run(agent, 'Go on.');
  };

/** The tools of a case, as the SDK has them. */
const own = ({ one, on }: Conversation): AgentTool[] =>
  one.tools.map((each) =>
    tool({
      name: each.name,
      description: each.description,
      strict: false,
      parameters: each.inputSchema as never,
      execute: async (input: unknown) => act(each, input, on),
    }),
  );

const ours = ({ toolbox, running }: Conversation): AgentTool[] => toAgentTools(toolbox, running);

const differs = {
  'an unknown key': "the result doesn't tell the model which keys were ignored",
};

const over = (name: string, play: Play, cannot = {}) =>
  framework({ name: `OpenAI Agents, ${name}`, column: 'OpenAI Agents' }, play, { cannot, differs });

const length = 'the SDK discards such a response, and the adapter requests it again as a stream';

/** The OpenAI Agents SDK with a mended provider, over both of its wires, with tools of its own and with those of a toolbox. */
export const openaiAgents = [
  over('chat, complete', play(false, false, own), ownTools),
  over('chat, streamed', play(false, true, own), ownTools),
  over('responses, complete', play(true, false, own), { ...ownTools, length }),
  over('responses, streamed', play(true, true, own), ownTools),
  over('toolbox tools', play(false, true, ours)),
];
