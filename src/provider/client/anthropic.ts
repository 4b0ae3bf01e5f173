import type { Model } from '../../turn/turn.ts';
import { anthropicMessages } from '../anthropic/anthropic.ts';
import { clientOf } from './client-of.ts';
import type { ClientOptions } from './client-options.ts';
import { services } from './services.ts';

/** A model served by Anthropic. */
export const anthropic = (options: ClientOptions): Model => clientOf(services.anthropic, anthropicMessages, options);
