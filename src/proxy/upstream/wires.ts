import type { Format } from '../../model/index.ts';
import { anthropicMessages } from '../../provider/wire/anthropic/index.ts';
import { geminiContent } from '../../provider/wire/gemini/index.ts';
import { ollamaChat } from '../../provider/wire/ollama/index.ts';
import { openaiChat } from '../../provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../provider/wire/openai-responses/index.ts';
import type { Provider } from '../../provider/wire/types.ts';
import type { Upstream } from '../options.ts';

/** Every wire by its name. */
export const wires: Readonly<Record<Format, Provider>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic: anthropicMessages,
  gemini: geminiContent,
  ollama: ollamaChat,
};

/** The wire an upstream is asked in: the client's own where it speaks it, else its first. */
export const wireOf = ({ formats }: Upstream, client: Provider): Provider =>
  formats.includes(client.format) ? client : wires[formats[0] ?? 'openai-chat'];

/** The path of a request in a wire, from the root of its server. */
export const rootPath = (wire: Provider, path: string): string =>
  wire.format.startsWith('openai') && !path.startsWith('/v1') ? `/v1${path}` : path;
