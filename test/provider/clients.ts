import { anthropic } from '../../src/provider/client/anthropic.ts';
import type { ClientOptions } from '../../src/provider/client/client-options.ts';
import { gemini } from '../../src/provider/client/gemini.ts';
import { ollama } from '../../src/provider/client/ollama.ts';
import { openai } from '../../src/provider/client/openai.ts';
import type { Model } from '../../src/turn/turn.ts';

/** Every client, by the wire it speaks, with the path that is set for it below a server's address. */
export const clients: Readonly<Record<string, (options: ClientOptions & { baseURL: string }) => Model>> = {
  'openai-chat': (options) => openai({ ...options, baseURL: `${options.baseURL}/v1` }),
  'openai-responses': (options) => openai({ ...options, api: 'responses', baseURL: `${options.baseURL}/v1` }),
  anthropic,
  gemini,
  ollama,
};
