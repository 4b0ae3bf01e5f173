import type { Definition } from '../../test/damage/definition.ts';
import type { WrittenCall } from '../accuracy/contestant.ts';

/** The feedback that a model gets for its call. */
export type Heard =
  /** The call did not run, and this is the text in place of a result. */
  | { readonly type: 'told'; readonly words: string }
  | { readonly type: 'ran' }
  /** The call did not run, and no further request was sent. */
  | { readonly type: 'silent' };

/** A source of feedback for bad calls. */
export interface Teller {
  readonly name: string;
  /** How it is used, in one sentence. */
  readonly how: string;
  readonly tell: (tools: readonly Definition[], call: WrittenCall) => Heard | Promise<Heard>;
}
