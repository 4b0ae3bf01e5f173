import type { JsonValue } from '../json/value.ts';

/** A call to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
}
