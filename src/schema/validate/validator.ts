import type { JsonSchema, SchemaObject } from '../types.ts';
import type { Fault } from './messages.ts';

/** What keywords need from the checker. */
export interface Validator {
  passes(value: unknown, schema: JsonSchema): boolean;
  /** The faults, with paths relative to the value. */
  faults(value: unknown, schema: JsonSchema): readonly Fault[];
  /** Resolves a chain of references. */
  resolve(schema: JsonSchema): JsonSchema;
  target(ref: string, from: SchemaObject): JsonSchema;
}
