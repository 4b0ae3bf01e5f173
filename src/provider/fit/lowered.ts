import type { SchemaObject } from '../../schema/json-schema.ts';

/** What part of a schema came to. */
export interface Lowered {
  /** Words to keep. */
  readonly words: SchemaObject;
  /** Sentences for the description. */
  readonly said: readonly string[];
}

export const nothing: Lowered = { words: {}, said: [] };
