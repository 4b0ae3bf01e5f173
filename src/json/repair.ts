import type { JsonValue, Path } from './value.ts';

/**
 * How sure a repair is. `lossless`: only one reading is possible. `inferred`: only one reading fits the schema.
 * `guess`: others fit too; a guess is never applied, it becomes a suggestion.
 */
export type Certainty = 'lossless' | 'inferred' | 'guess';

/** One change that was made between what the model wrote and what the tool gets. */
export interface Repair {
  /** Where it was made; empty for the whole. */
  readonly path: Path;
  readonly kind: RepairKind;
  /** What was there: a short piece of the text for repairs of writing, else the value. */
  readonly before: JsonValue | undefined;
  /** What is there now; absent where something was taken out. */
  readonly after?: JsonValue;
  readonly certainty: Certainty;
}

/** Every kind of repair, with the words that tell a person what was done. */
export const repairKinds = {
  // writing
  comma: 'fixed a comma',
  colon: 'fixed a colon',
  quote: 'fixed quotes',
  inner_quote: 'escaped quotes inside a string',
  escape: 'fixed an escape',
  newline: 'escaped a raw control character',
  literal: 'read a Python or JavaScript literal',
  number: 'read a number written another way',
  tuple: 'read a tuple as a list',
  comment: 'removed a comment',
  fence: 'took off a code fence',
  prose: 'took off the text around it',
  reasoning: 'took off a reasoning block',
  token: 'took off a special token',
  invisible: 'removed invisible characters',
  closer: 'added a missing bracket',
  extra_closer: 'removed a bracket too many',
  opener: 'added a missing opening bracket',
  duplicate: 'dropped a repetition',
  encoding: 'decoded text that was encoded twice',
  lines: 'read lines of key and value',
  empty: 'read empty arguments as {}',
  text: 'read from text',
  // meaning
  name: 'found the tool under another spelling',
  key: 'renamed a key',
  type: 'changed the type',
  enum: 'matched an allowed value',
  list: 'read as a list',
  object: 'read as an object',
  wrapper: 'unwrapped the arguments',
  null: 'removed a null',
  dropped: 'dropped an unknown key',
} as const;

/** The name of a kind of repair. */
export type RepairKind = keyof typeof repairKinds;
