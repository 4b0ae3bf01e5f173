import type { JsonReader } from '../../json/read-json.ts';
import type { Change } from '../../json/tolerant/state.ts';
import { equal, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { MendedValue } from '../outcome.ts';
import type { PartialValue } from './partial-value.ts';

/** The state of a stream after a chunk. */
export interface ValueSoFar<Value = JsonValue> {
  /** The value so far, with the types of the schema but not validated. One object grows, unless `immutable` is set. */
  readonly value: Value | undefined;
  /** The changes of this chunk. */
  readonly changes: readonly Change[];
}

/**
 * A streaming value: iterate for the value so far, await `result` for the validated one. Leaving the loop closes the
 * source, and the result is then that of a truncated text.
 */
export interface ValueStream<Out = unknown, Value = JsonValue> extends AsyncIterable<ValueSoFar<Value>> {
  /** Resolves at the end of the text. Without a loop, it reads the text itself. Rejects if the source fails. */
  readonly result: Promise<MendedValue<Out>>;
}

/** How a stream is read. */
export interface ValueStreamOptions {
  readonly reader: JsonReader;
  readonly schema: JsonSchema | undefined;
  readonly immutable: boolean;
  /** Mends the text at its end. */
  readonly settle: (text: string, truncated: boolean) => MendedValue;
}

const reset: Change = { type: 'reset', path: [] };
const done = { done: true, value: undefined } as const;

/** Reads a stream of text once, for a loop or for its result. */
export function valueStream(chunks: AsyncIterable<string>, options: ValueStreamOptions): ValueStream {
  const reading = new ValueReading(chunks, options);
  return {
    get result() {
      return reading.result();
    },
    [Symbol.asyncIterator]: () => ({ next: () => reading.next(), return: () => reading.close() }),
  };
}

class ValueReading {
  readonly #options: ValueStreamOptions;
  readonly #source: AsyncIterator<string>;
  readonly #pieces: string[] = [];
  readonly #result = Promise.withResolvers<MendedValue>();
  /** The typed value; undefined before the first chunk, and for a stream without a schema. */
  #partial: PartialValue | undefined;
  #state: 'new' | 'looped' | 'ended' = 'new';
  /** Whether the loop got a value that is still valid. */
  #shown = false;
  /** The last update that the loop didn't get, because the result was requested. */
  #skipped: ValueSoFar | undefined;
  /** One step at a time. */
  #step: Promise<unknown> = Promise.resolve();

  constructor(chunks: AsyncIterable<string>, options: ValueStreamOptions) {
    this.#options = options;
    this.#source = chunks[Symbol.asyncIterator]();
    // An error that the loop has thrown must not also be an unhandled rejection.
    this.#result.promise.catch(() => {});
  }

  result(): Promise<MendedValue> {
    if (this.#state === 'looped') this.#drain();
    // A loop that starts right after this call reads the text, and gets every update.
    else if (this.#state === 'new') queueMicrotask(() => this.#state === 'new' && this.#drain());
    return this.#result.promise;
  }

  next(): Promise<IteratorResult<ValueSoFar, undefined>> {
    if (this.#state === 'new') this.#state = 'looped';
    return this.#queue(async () => {
      for (;;) {
        const missed = this.#skipped;
        this.#skipped = undefined;
        if (missed) return { value: asReplaced(missed.value) };
        if (this.#state === 'ended') return done;
        const update = await this.#read();
        if (update) return { value: update };
      }
    });
  }

  close(): Promise<IteratorResult<ValueSoFar, undefined>> {
    return this.#queue(async () => {
      if (this.#state !== 'ended') {
        this.#end(true);
        await this.#source.return?.();
      }
      return done;
    });
  }

  get #value(): JsonValue | undefined {
    return this.#partial ? this.#partial.value : this.#options.reader.value;
  }

  async #drain(): Promise<void> {
    while (this.#state !== 'ended') {
      await this.#queue(async () => {
        if (this.#state !== 'ended') this.#skipped = (await this.#read()) ?? this.#skipped;
      }).catch(() => {});
    }
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const step = this.#step.then(work);
    this.#step = step.catch(() => {});
    return step;
  }

  /** Reads one chunk; undefined if it changes nothing. */
  async #read(): Promise<ValueSoFar | undefined> {
    const { reader, schema, immutable } = this.#options;
    try {
      const chunk = await this.#source.next();
      if (chunk.done) return this.#end(false);
      if (!this.#pieces.length && (schema !== undefined || immutable)) {
        const { PartialValue: Partial } = await import('./partial-value.ts');
        this.#partial = new Partial(schema, immutable);
      }
      this.#pieces.push(chunk.value);
      const changes = reader.push(chunk.value);
      const typed = this.#partial ? this.#partial.apply(changes, reader.path) : changes;
      if (typed.length) this.#shown = typed.at(-1)?.type !== 'reset';
      return typed.length ? { value: this.#value, changes: typed } : undefined;
    } catch (error) {
      this.#state = 'ended';
      this.#result.reject(error);
      throw error;
    }
  }

  /** Mends the text. Returns a last update if the result differs from the value so far. */
  #end(truncated: boolean): ValueSoFar | undefined {
    this.#state = 'ended';
    const out = this.#options.settle(this.#pieces.join(''), truncated);
    this.#result.resolve(out);
    if (out.status === 'invalid') return this.#shown ? asReplaced(undefined) : undefined;
    if (this.#shown && equal(out.input, this.#value)) return undefined;
    const value = out.input as JsonValue;
    return asReplaced(this.#partial?.settled(value) ?? value, this.#shown);
  }
}

/** An update that replaces everything before it. */
const asReplaced = (value: JsonValue | undefined, shown = true): ValueSoFar => ({
  value,
  changes: [...(shown ? [reset] : []), ...(value === undefined ? [] : [{ type: 'set', path: [], value } as const])],
});
