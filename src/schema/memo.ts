import type { SchemaObject } from './json-schema.ts';

/** Results by value, then by schema. What a list or object got is forgotten with it; the rest after each question. */
export class Memo<Result> {
  #composed = new WeakMap<object, Map<SchemaObject, Result>>();
  readonly #scalars = new Map<unknown, Map<SchemaObject, Result>>();

  get(value: unknown, schema: SchemaObject): Result | undefined {
    const results = isComposed(value) ? this.#composed.get(value) : this.#scalars.get(value);
    return results?.get(schema);
  }

  set(value: unknown, schema: SchemaObject, result: Result): void {
    const known = isComposed(value) ? this.#composed.get(value) : this.#scalars.get(value);
    if (known !== undefined) known.set(schema, result);
    else if (isComposed(value)) this.#composed.set(value, new Map([[schema, result]]));
    else this.#scalars.set(value, new Map([[schema, result]]));
  }

  forgetScalars(): void {
    if (this.#scalars.size > 0) this.#scalars.clear();
  }

  forget(): void {
    this.#composed = new WeakMap();
    this.forgetScalars();
  }
}

const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;
