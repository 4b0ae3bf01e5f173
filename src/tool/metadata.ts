import type { SchemaObject } from '../schema/json-schema.ts';

/** One property of a tool's input, with the whole JSON Schema vocabulary to describe it. */
export type ToolProperty = SchemaObject;

/** A call that a model may learn from; its input is checked against the tool's schema when the tool is added. */
export interface ToolExample {
  readonly input: unknown;
  readonly output?: unknown;
  readonly description?: string;
}

/** What people and catalogues want to know of a tool; none of it changes how a call is judged. */
export interface ToolMetadata {
  /** A name for people, where it differs from the name that models write. */
  readonly title?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly documentationUrl?: string;
  readonly examples?: readonly ToolExample[];
  /** Whatever else belongs to the tool; it is kept as it is. */
  readonly customFields?: Readonly<Record<string, unknown>>;
}
