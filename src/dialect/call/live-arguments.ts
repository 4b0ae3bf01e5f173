import { JsonReader } from '../../json/read-json.ts';
import type { JsonValue } from '../../json/value.ts';

/** A call's arguments while they stream. Parsed on access only, and only what is new. */
export class LiveArguments {
  #waiting = '';
  #reader: JsonReader | undefined;
  readonly #value: (() => JsonValue | undefined) | undefined;

  readonly #settle: () => void;

  /**
   * @param settle reads what was passed on and not read yet
   * @param value returns the value if it isn't written as JSON
   */
  constructor(settle: () => void, value?: () => JsonValue | undefined) {
    this.#settle = settle;
    this.#value = value;
  }

  add(text: string): void {
    if (!this.#value) this.#waiting += text;
  }

  get value(): JsonValue | undefined {
    this.#settle();
    if (this.#value) return this.#value();
    this.#reader ??= new JsonReader({ want: 'object' });
    if (this.#waiting) this.#reader.push(this.#waiting);
    this.#waiting = '';
    return this.#reader.value;
  }
}
