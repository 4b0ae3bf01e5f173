import type { Model } from '../../turn/turn.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import { clientOf } from './client-of.ts';
import type { ClientOptions } from './client-options.ts';
import { services } from './services.ts';

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
