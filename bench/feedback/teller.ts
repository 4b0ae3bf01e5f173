import type { Definition } from '../../test/damage/definition.ts';
import type { WrittenCall } from '../accuracy/contestant.ts';

/** What a model heard of a call that it wrote. */
export type Heard =
  /** The call did not run, and these are the words it was given instead of a result. */
  | { readonly type: 'told'; readonly words: string }
  | { readonly type: 'ran' }
  /** The call did not run, and the model was asked nothing more. */
  | { readonly type: 'silent' };

/** Whoever tells a model what is wrong with its call. */
export interface Teller {
  readonly name: string;
  /** How it is used, in one sentence. */
  readonly how: string;
  readonly tell: (tools: readonly Definition[], call: WrittenCall) => Heard | Promise<Heard>;
}
