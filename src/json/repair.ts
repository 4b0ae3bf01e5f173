import type { JsonValue, Path } from './value.ts';

/**
 * How certain a repair is. `lossless`: only one reading is possible. `inferred`: only one reading fits the schema.
 * `guess`: several fit. A guess is never applied; it becomes a suggestion.
 */
export type Certainty = 'lossless' | 'inferred' | 'guess';

/** One change between what the model wrote and what the tool gets. */
export interface Repair {
  /** Where it was made; empty for the root. */
  readonly path: Path;
  readonly kind: RepairKind;
  /** The value before. For repairs of notation, a short piece of the text. */
  readonly before: JsonValue | undefined;
  /** The value after; missing if something was removed. */
  readonly after?: JsonValue;
  readonly certainty: Certainty;
}

/** All kinds of repairs, with a description for people. */
export const repairKinds = {
  // notation
  comma: 'fixed a comma',
  colon: 'fixed a colon',
  quote: 'fixed quotes',
  inner_quote: 'escaped quotes inside a string',
  escape: 'fixed an escape',
  newline: 'escaped a raw control character',
  literal: 'read a Python or JavaScript literal',
  number: 'read a number in another notation',
  tuple: 'read a tuple as a list',
  comment: 'removed a comment',
  fence: 'removed a code fence',
  prose: 'removed surrounding text',
  reasoning: 'removed a reasoning block',
  token: 'removed a special token',
  invisible: 'removed invisible characters',
  closer: 'added a missing bracket',
  extra_closer: 'removed an extra bracket',
  opener: 'added a missing opening bracket',
  duplicate: 'dropped a duplicate',
  encoding: 'decoded text that was encoded twice',
  lines: 'read key-value lines',
  empty: 'read empty arguments as {}',
  text: 'read from text',
  split: 'separated merged calls',
  // meaning
  name: 'matched the tool name',
  key: 'renamed a key',
  type: 'changed the type',
  enum: 'matched an allowed value',
  list: 'read as a list',
  object: 'read as an object',
  wrapper: 'unwrapped the arguments',
  null: 'removed a null',
  dropped: 'dropped an unknown key',
} as const;

/** The name of a repair kind. */
export type RepairKind = keyof typeof repairKinds;
