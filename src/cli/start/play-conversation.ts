import { anthropic } from '../../provider/client/anthropic.ts';
import { gemini } from '../../provider/client/gemini.ts';
import { ollama } from '../../provider/client/ollama.ts';
import { openai } from '../../provider/client/openai.ts';
import { agent } from '../../run/agent.ts';
import { tool } from '../../tool/tool.ts';
import type { Model } from '../../turn/turn.ts';
import type { Conversation } from './conversations.ts';

/** The clients a conversation may be held with: each speaks its own wire to the proxy. */
const clients: Readonly<Record<Conversation['wire'], (at: string) => Model>> = {
  openai: (at) => openai({ ...asked('openai-client'), baseURL: `${at}/v1` }),
  responses: (at) => openai({ ...asked('responses-client'), baseURL: `${at}/v1`, api: 'responses' }),
  anthropic: (at) => anthropic({ ...asked('anthropic-client'), baseURL: at }),
  gemini: (at) => gemini({ ...asked('gemini-client'), baseURL: at }),
  ollama: (at) => ollama({ ...asked('ollama-client'), baseURL: at }),
};

const asked = (model: string) => ({ model, apiKey: 'not-needed' });

/** Holds a conversation through a proxy, as any program with an agent would; gives how it ended. */
export async function playConversation({ wire, question, tools }: Conversation, proxy: string): Promise<string> {
  const run = agent({
    model: clients[wire](proxy),
    tools: tools.map(({ name, description = '', schema }) =>
      tool({ name, description, input: schema as unknown, effect: 'read', run: () => 'ok' }),
    ),
  }).run(question);
  const { end } = await run.done;
  if (end !== 'length') return end;
  // The proxy let no truncated call out, so the client read that it was cut off, and says what its user would.
  return (await run.send('Please go on in smaller pieces.').done).end;
}
