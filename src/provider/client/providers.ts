import type { Model } from '../../model/index.ts';
import { anthropicMessages } from '../wire/anthropic/index.ts';
import { geminiContent } from '../wire/gemini/index.ts';
import { ollamaChat } from '../wire/ollama/index.ts';
import { openaiChat } from '../wire/openai-chat/index.ts';
import { openaiResponses } from '../wire/openai-responses/index.ts';
import { clientOf } from './client.ts';
import type { ClientOptions } from './options.ts';
import { services } from './services.ts';

/** Creates a client for a model served by Anthropic. */
export const anthropic = (options: ClientOptions): Model => clientOf(services.anthropic, anthropicMessages, options);

/** Creates a client for a model served by Gemini. */
export const gemini = (options: ClientOptions): Model => clientOf(services.gemini, geminiContent, options);

/** Creates a client for a model served by Ollama: at `baseURL`, `OLLAMA_HOST` or on this machine. */
export const ollama = (options: ClientOptions): Model => clientOf(services.ollama, ollamaChat, options);

/** Options of a client for OpenAI and compatible servers. */
export interface OpenAIOptions extends ClientOptions {
  /**
   * API format: Chat Completions, which compatible servers support, or Responses.
   * @default 'chat'
   */
  readonly api?: 'chat' | 'responses';
}

const wires = { chat: openaiChat, responses: openaiResponses } as const;

/**
 * Creates a client for a model served by OpenAI or a compatible server.
 *
 * @example
 * const model = openai({ model: 'some-model', api: 'responses' });
 * const local = openai({ model: 'another', baseURL: 'http://127.0.0.1:8000/v1' });
 */
export const openai = (options: OpenAIOptions): Model =>
  clientOf(services.openai, wires[options?.api ?? 'chat'], options);
