import type { JsonSchema, SchemaObject } from '../types.ts';
import type { Fault } from './messages.ts';

/** What a keyword needs of the checker it works for. */
export interface Validator {
  passes(value: unknown, schema: JsonSchema): boolean;
  /** What is wrong, with paths relative to the value. */
  faults(value: unknown, schema: JsonSchema): readonly Fault[];
  /** The schema behind a chain of references. */
  resolve(schema: JsonSchema): JsonSchema;
  target(ref: string, from: SchemaObject): JsonSchema;
}
