import { JsonReader } from '../../json/read-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { TextBuilder } from '../placement/place.ts';

/** A call's arguments while they stream. Parsed on access only, and only what is new. */
export class LiveArguments {
  readonly #unread = new TextBuilder();
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
    if (!this.#value) this.#unread.add(text);
  }

  /** Joins the pieces of the arguments, if `text` is all of them. */
  join(text: string): void {
    if (this.#unread.length !== text.length) return;
    this.#unread.take();
    this.#unread.add(text);
  }

  get value(): JsonValue | undefined {
    this.#settle();
    if (this.#value) return this.#value();
    this.#reader ??= new JsonReader({ want: 'object' });
    if (this.#unread.length > 0) this.#reader.push(this.#unread.take());
    return this.#reader.value;
  }
}
