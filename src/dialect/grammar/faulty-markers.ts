import type { Dialect } from '../types.ts';
import { isCallBlock, mayNameCalls, namesCalls } from './call-blocks.ts';
import {
  bars,
  closing,
  folded,
  opening,
  spellingOf,
  square,
  tag,
  unbarred,
  unclosed,
  unopened,
} from './marker-spelling.ts';

const begunTag = new RegExp(
  `^[[［\\]${opening}][ \\t]{0,3}(/?)[ \\t]{0,3}((?:[|｜‖]{1,2}[ \\t]{0,3}\\w{1,12}[ \\t]{0,3}[|｜‖]{1,2}[ \\t]{0,3})?[^\\s/${opening}${closing}="'“”‘’\\]］({]{0,60})`,
);
/** A tag up to a word between bars, with white space around them. */
const begunBars = new RegExp(
  `^[${opening}][ \\t]{0,3}/?[ \\t]{0,3}[|｜‖]{1,2}[ \\t]{0,3}(?:\\w{1,12}[ \\t]{0,3}(?:[|｜‖]{1,2}[ \\t]{0,3})?)?$`,
);
const begunWord = /^(\/?)([|｜‖]{0,2}[\w:▁\\-]{0,60}[|｜‖]{0,2})/;

/**
 * Whether a text starts with a marker of one of the rows, in any spelling, or with a tag that is named like a block of
 * calls: `maybe` if more text is needed.
 */
export function beginsMarker(text: string, rows: readonly Dialect[]): 'no' | 'maybe' | 'sure' {
  const tagged = begunTag.exec(text);
  const [begun = '', slash = '', word = ''] = tagged ?? begunWord.exec(text) ?? [];
  if (begun === '') return 'no';
  if (begunBars.test(text)) return 'maybe';
  const markers = markerWordsOf(rows);
  const next = text[begun.length];
  const key = slash + unbarred(folded(word));
  if (tagged) {
    if (next === undefined) return isBegun(markers.folded, key) || mayNameCalls(word) ? 'maybe' : 'no';
    return markers.folded.has(key) || namesCalls(word) ? 'sure' : 'no';
  }
  // A word without its bracket has its own case.
  const plain = slash + word.replace(bars, '');
  if (next === undefined) return isBegun(markers.words, plain) ? 'maybe' : 'no';
  return markers.words.has(plain) && `${closing}]`.includes(next) ? 'sure' : 'no';
}

const isBegun = (words: ReadonlySet<string>, begun: string): boolean => {
  for (const word of words) if (word.startsWith(begun)) return true;
  return false;
};

/** The markers of rows without their brackets. */
interface MarkerWords {
  /** With their case. */
  readonly words: ReadonlySet<string>;
  /** What is left of them without bars, separators and case. */
  readonly folded: ReadonlySet<string>;
}

const kept = new WeakMap<readonly Dialect[], MarkerWords>();

/** The words of the markers of rows, worked out once. */
export function markerWordsOf(rows: readonly Dialect[]): MarkerWords {
  const known = kept.get(rows);
  if (known) return known;
  const markers = rows.flatMap((row) => [...spellingOf(row).barred]);
  const made = {
    words: new Set(markers.map(([, head]) => head.replace(/[<[\]]|[|｜]/g, ''))),
    folded: new Set(markers.map(([key]) => unbarred(key).replace('[', ''))),
  };
  kept.set(rows, made);
  return made;
}

/** Whether a text consists of markers of the rows in any spelling, or blocks named like them, and of nothing else. */
export function isOnlyMarkers(text: string, rows: readonly Dialect[]): boolean {
  if (text.length > 400 || !/\S/.test(text)) return false;
  const markers = markerWordsOf(rows);
  const isKnown = (slash: string, word: string): boolean => markers.folded.has(slash + unbarred(folded(word)));
  const rest = (from: number): string =>
    text
      .slice(from)
      .replace(tag, (token, slash: string, word: string, more: string) =>
        isKnown(slash, word + more) || isCallBlock(word) ? '' : token,
      )
      .replace(square, (token, slash: string, word: string) => (isKnown(slash, word) ? '' : token));
  if (!/\S/.test(rest(0))) return true;
  const [first = '', firstSlash = '', firstWord = ''] = unopened.exec(text) ?? [];
  const [other = '', , otherSlash = '', otherWord = ''] = unclosed.exec(text) ?? [];
  return (
    (first !== '' && isKnown(firstSlash, firstWord) && !/\S/.test(rest(first.length))) ||
    (other !== '' && isKnown(otherSlash, otherWord) && !/\S/.test(rest(other.length)))
  );
}
