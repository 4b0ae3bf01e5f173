import type { Model } from '../../turn/turn.ts';
import { geminiContent } from '../gemini/gemini.ts';
import { clientOf } from './client-of.ts';
import type { ClientOptions } from './client-options.ts';
import { services } from './services.ts';

/** A model served by Gemini. */
export const gemini = (options: ClientOptions): Model => clientOf(services.gemini, geminiContent, options);
