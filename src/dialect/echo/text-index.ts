import { fold } from './canonical.ts';

export type Span = readonly [from: number, to: number];

/** Where the words, names and keys stand in a text that a search needs. */
export class TextIndex {
  readonly text: string;
  /** Whether words that the text has may be joined in it. */
  readonly isJoined: boolean;
  readonly #terms = new Map<string, Span[]>();
  readonly #words = new Map<string, number[]>();

  /**
   * @param terms names and keys, folded
   * @param words words in lower case, and numbers after `#`
   */
  constructor(text: string, terms: ReadonlySet<string>, words: ReadonlySet<string>, isJoined = false) {
    this.text = text;
    this.isJoined = isJoined;
    const longest = Math.max(0, ...[...terms].map(({ length }) => length));
    let run: { word: string; from: number; to: number }[] = [];
    for (const { 0: written, index } of text.matchAll(wordPattern)) {
      const word = written.toLowerCase();
      if (words.has(word)) push(this.#words, word, index);
      const code = word.charCodeAt(0);
      if (code >= 48 && code <= 57) {
        const number = `#${numberAt(text, index)?.value}`;
        if (words.has(number)) push(this.#words, number, index);
      }
      const to = index + written.length;
      const last = run.at(-1);
      if (last && !joins.test(text.slice(last.to, Math.min(index, last.to + 5)))) run = [];
      run.push({ word, from: index, to });
      if (run.length > mostParts) run.shift();
      let joined = '';
      for (let at = run.length - 1; at >= 0 && joined.length <= longest; at -= 1) {
        const part = run[at] as (typeof run)[number];
        joined = part.word + joined;
        if (terms.has(joined) && standsAlone(text, part.from, to)) push(this.#terms, joined, [part.from, to]);
      }
    }
  }

  /** The places of a name or key, in order. */
  places(term: string): readonly Span[] {
    return this.#terms.get(term) ?? [];
  }

  /** The offsets of a word or number, in order. */
  offsets(word: string): readonly number[] {
    return this.#words.get(word) ?? [];
  }

  /** The words and numbers that the text has. */
  words(): Iterable<string> {
    return this.#words.keys();
  }

  /** The first place of a term at or after an offset. */
  after(term: string, offset: number): Span | undefined {
    const spans = this.places(term);
    return spans[firstAt(spans, offset)];
  }

  /** The places of a term that end at or before an offset, the last one first. */
  *before(term: string, offset: number): Generator<Span> {
    const spans = this.places(term);
    for (let at = firstAt(spans, offset) - 1; at >= 0; at -= 1) {
      const span = spans[at] as Span;
      if (span[1] <= offset) yield span;
    }
  }
}

const wordPattern = /[\p{L}\p{N}]+/gu;
/** What may be between the parts of a name. */
const joins = /^\\?[_.\- ]{0,2}$/;
const mostParts = 12;

/** A name isn't part of a longer one; a prefix ends in two underscores. */
const standsAlone = (text: string, from: number, to: number): boolean =>
  text[to] !== '_' && (text[from - 1] !== '_' || text[from - 2] === '_');

/** The position of the first span that starts at or after an offset. */
function firstAt(spans: readonly Span[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span)[0] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const number = /[+-]?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?/y;

/** The number at an offset. */
export function numberAt(text: string, from: number): { value: number; end: number } | undefined {
  number.lastIndex = from;
  const [written] = number.exec(text) ?? [];
  return written === undefined ? undefined : { value: Number(written.replaceAll('_', '')), end: from + written.length };
}

/** A word of an argument that every notation of it contains. */
export interface Anchor {
  readonly word: string;
  /** The least number of characters of the value before it. */
  readonly offset: number;
}

/** The words of a value that no escape can join with others. */
export function anchorsOf(value: unknown): Anchor[] {
  if (typeof value === 'number') return [{ word: `#${Math.abs(value)}`, offset: 0 }];
  if (typeof value !== 'string' || value.includes('\\')) return [];
  const words = [...value.matchAll(/(?<![^ -~])(?<![a-z\d])[a-z\d]+(?![\p{L}\p{N}])/giu)];
  return words
    .map(({ 0: word, index }) => ({ word: fold(word), offset: value.slice(0, index).replace(/\s+/g, '').length }))
    .sort((a, b) => b.word.length - a.word.length)
    .slice(0, 8);
}
