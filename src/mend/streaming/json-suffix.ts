import { isObject, stringifyAt } from '../../json/value.ts';

/**
 * The text that completes a JSON prefix so that it parses to `value`. Undefined if the prefix contradicts the value, or
 * ends inside a key or a number, where it is unclear what follows.
 *
 * @example
 * jsonSuffix('{"path": "a.ts", "limit": ', { path: 'a.ts', limit: 5 }) // '5}'
 */
export function jsonSuffix(sent: string, value: unknown): string | undefined {
  try {
    const writer = new Continuation(sent);
    const rest = writer.value([value], 0);
    // The prefix must be consumed; trailing white space is fine.
    return sent.slice(writer.at).trim() === '' ? rest : undefined;
  } catch (error) {
    if (error instanceof OtherText) return undefined;
    throw error;
  }
}

/** Thrown if the text isn't a prefix of this value. */
class OtherText extends Error {}

/** Walks a prefix and a value in parallel. After the end of the prefix it only writes. */
class Continuation {
  readonly #sent: string;
  at = 0;

  constructor(sent: string) {
    this.#sent = sent;
  }

  /** The rest of the value under a key. */
  value(container: object, key: string | number): string {
    const value = (container as Record<string | number, unknown>)[key];
    this.#space();
    if (this.#over) return stringifyAt(container, key);
    if (Array.isArray(value)) return this.#list(value);
    if (isObject(value)) return this.#object(value);
    return typeof value === 'string' ? this.#string(value) : this.#literal(value);
  }

  #object(value: Readonly<Record<string, unknown>>): string {
    this.#take('{');
    const left = new Set(Object.keys(value));
    for (let first = true; ; first = false) {
      this.#space();
      if (this.#over) return members(value, left, first);
      if (this.#next('}')) {
        if (left.size > 0) throw new OtherText();
        return '';
      }
      if (!first) this.#take(',');
      this.#space();
      if (this.#over) return members(value, left, true);
      const key = this.#key();
      if (!left.has(key)) throw new OtherText();
      this.#space();
      const colon = this.#over ? ':' : '';
      if (!colon) this.#take(':');
      const rest = this.value(value, key);
      left.delete(key);
      if (this.#over) return colon + rest + members(value, left, false);
    }
  }

  #list(items: readonly unknown[]): string {
    this.#take('[');
    for (let index = 0; ; index += 1) {
      this.#space();
      if (this.#over) return after(items, index, index === 0);
      if (this.#next(']')) {
        if (index < items.length) throw new OtherText();
        return '';
      }
      if (index > 0) this.#take(',');
      if (index >= items.length) throw new OtherText();
      const rest = this.value(items, index);
      if (this.#over) return rest + after(items, index + 1, false);
    }
  }

  #string(value: string): string {
    const [read, closed] = this.#text();
    if (closed ? read !== value : !value.startsWith(read)) throw new OtherText();
    return closed ? '' : JSON.stringify(value.slice(read.length)).slice(1);
  }

  #key(): string {
    const [key, closed] = this.#text();
    if (!closed) throw new OtherText();
    return key;
  }

  /** A string in the prefix, and whether it is closed. One that ends in an escape can't be continued. */
  #text(): [text: string, closed: boolean] {
    this.#take('"');
    const from = this.at;
    for (; !this.#over; this.at += 1) {
      const char = this.#sent[this.at];
      if (char === '\\') this.at += 1;
      else if (char === '"') {
        const text = unescaped(this.#sent.slice(from, this.at));
        this.at += 1;
        return [text, true];
      }
    }
    if (this.at > this.#sent.length) throw new OtherText();
    return [unescaped(this.#sent.slice(from)), false];
  }

  /** A number or literal, in any notation. A prefix that ends directly after one may continue it. */
  #literal(value: unknown): string {
    scalar.lastIndex = this.at;
    const [text] = scalar.exec(this.#sent) ?? [];
    if (text === undefined || this.at + text.length >= this.#sent.length) throw new OtherText();
    if (typeof value === 'number' ? !Object.is(Number(text), value) : text !== String(value)) throw new OtherText();
    this.at += text.length;
    return '';
  }

  get #over(): boolean {
    return this.at >= this.#sent.length;
  }

  #space(): void {
    while (!this.#over && ' \n\r\t'.includes(this.#sent[this.at] as string)) this.at += 1;
  }

  #next(char: string): boolean {
    if (this.#sent[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  #take(char: string): void {
    if (!this.#next(char)) throw new OtherText();
  }
}

const scalar = /[-+.\w]+/y;

const members = (value: object, left: ReadonlySet<string>, first: boolean): string =>
  `${[...left].map((key, index) => `${index > 0 || !first ? ',' : ''}${JSON.stringify(key)}:${stringifyAt(value, key)}`).join('')}}`;

const after = (items: readonly unknown[], from: number, first: boolean): string =>
  `${items
    .slice(from)
    .map((_, index) => `${index > 0 || !first ? ',' : ''}${stringifyAt(items, from + index)}`)
    .join('')}]`;

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    throw new OtherText();
  }
}
