import type { Outcome } from '../call/outcome.ts';
import type { JsonValue } from '../json/value.ts';

/** What a reader says while a text comes, in the order of the text. */
export type CallEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.started'; readonly id: string; readonly name: string }
  | {
      readonly type: 'call.arguments';
      readonly id: string;
      /** The arguments' text that came, as it was written. */
      readonly delta: string;
      /** The arguments so far; reading them costs what came since they were last read. */
      readonly value: JsonValue | undefined;
    }
  | { readonly type: 'call.finished'; readonly id: string; readonly outcome: Outcome };
