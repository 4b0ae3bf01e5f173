import type { Model } from '../../turn/turn.ts';
import { ollamaChat } from '../ollama/ollama.ts';
import { clientOf } from './client-of.ts';
import type { ClientOptions } from './client-options.ts';
import { services } from './services.ts';

/** A model served by Ollama, on this machine unless `baseURL` or `OLLAMA_HOST` says otherwise. */
export const ollama = (options: ClientOptions): Model => clientOf(services.ollama, ollamaChat, options);
