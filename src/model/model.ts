import type { TurnEvent } from './events.ts';
import type { TurnRequest } from './request.ts';

/** What a model is asked, less its own name, which the model may fill in itself. */
export type ModelRequest = Omit<TurnRequest, 'model' | 'stream'> & { readonly model?: string };

/** Settings of one turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal;
}

/**
 * Something that answers. `answer` never throws for what a network or a provider did: it ends with `turn.failed`. Each
 * call is one turn.
 */
export interface Model {
  /** The model's name, for logs and traces. */
  readonly name: string;
  /** Who serves it: `openai`, `anthropic`, `scripted`. */
  readonly provider: string;
  /** A service that makes its models' calls native: a call in its words is believed only where nothing about it is unsure. */
  readonly hosted?: boolean;
  answer(question: ModelRequest, options?: TurnOptions): AsyncIterable<TurnEvent>;
}
