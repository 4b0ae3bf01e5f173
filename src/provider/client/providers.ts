import type { Model } from '../../model/index.ts';
import { anthropicMessages } from '../wire/anthropic/index.ts';
import { geminiContent } from '../wire/gemini/index.ts';
import { ollamaChat } from '../wire/ollama/index.ts';
import { openaiChat } from '../wire/openai-chat/index.ts';
import { openaiResponses } from '../wire/openai-responses/index.ts';
import { clientOf } from './client.ts';
import type { ClientOptions } from './options.ts';
import { services } from './services.ts';

/** A model served by Anthropic. */
export const anthropic = (options: ClientOptions): Model => clientOf(services.anthropic, anthropicMessages, options);

/** A model served by Gemini. */
export const gemini = (options: ClientOptions): Model => clientOf(services.gemini, geminiContent, options);

/** A model served by Ollama, on this machine unless `baseURL` or `OLLAMA_HOST` says otherwise. */
export const ollama = (options: ClientOptions): Model => clientOf(services.ollama, ollamaChat, options);

/** Settings of a client of OpenAI, and of the many servers that speak its wire. */
export interface OpenAIOptions extends ClientOptions {
  /** The wire: `chat` (Chat Completions, which every imitation speaks) unless it is said, or `responses`. */
  readonly api?: 'chat' | 'responses';
}

const wires = { chat: openaiChat, responses: openaiResponses } as const;

/**
 * A model served by OpenAI, or by anything that speaks its wire.
 *
 * @example
 * const model = openai({ model: 'some-model', api: 'responses' });
 * const local = openai({ model: 'another', baseURL: 'http://127.0.0.1:8000/v1' });
 */
export const openai = ({ api = 'chat', ...options }: OpenAIOptions): Model =>
  clientOf(services.openai, wires[api], options);
