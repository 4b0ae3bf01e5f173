import { composed } from './canonical.ts';

/** What is between values, if a value doesn't contain it. */
const between = new Set([...';,{}']);
const closerOf: Readonly<Record<string, string>> = { '<': '>', '[': ']', '(': ')' };
const mostPlaces = 24;
const mostOpen = 4;
const longestBracket = 1000;

/**
 * Offset after a value in quotes or in an element, of which only the letters and digits are the same, in the notation of any page
 * or program: signs may be anywhere in it, and brackets may add words, as in `<https://a.b|a.b>` and `[a.b](https://a.b)`;
 * -1 if there is a different one. It reads no further than the first difference.
 *
 * @param spend counts work; whether some is left
 */
export function endOfLetters(
  text: string,
  from: number,
  value: string,
  close: string | undefined,
  spend: (work: number) => boolean,
): number {
  const limit = Math.min(text.length, from + 6 * value.length + 400);
  if (passed(signs, value, 0) === value.length) return -1;
  const same = sameWords(text, from, value);
  spend(same >> 4);
  const ends = close ?? '<';
  const nextOf = nextIn(text, limit);
  // How far of the value the words so far may be, and the closers of the open brackets.
  let places = new Set([passed(signs, value, same)]);
  let open = '';
  let at = from + same;
  while (at < limit && spend(2)) {
    const char = text[at] as string;
    const word = wordAt(text, at);
    if (word === '') {
      const closer = closerOf[char];
      if (open === '' && char === ends && (places.has(value.length) || !value.includes(char)))
        return places.has(value.length) ? at + (close ? 1 : 0) : -1;
      if (open === '' && between.has(char) && !value.includes(char)) return -1;
      if (closer !== undefined && open.length < mostOpen && isClosed(nextOf, at, closer, close)) open += closer;
      else if (open.endsWith(char)) open = open.slice(0, -1);
      at += 1;
      continue;
    }
    spend((4 + (word.length >> 2)) * places.size);
    const next = new Set(open === '' ? [] : places);
    for (const place of places) {
      const end = endOfWord(value, place, composed(word));
      if (end >= 0) next.add(end);
    }
    if (next.size === 0 || next.size > mostPlaces) return -1;
    places = next;
    at += word.length;
  }
  return -1;
}

const signs = /[^\p{L}\p{N}]*/uy;
const run = /[\p{L}\p{N}]{1,64}/uy;

function passed(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** The length of the words that are written the same at an offset, up to a bracket. */
function sameWords(text: string, from: number, value: string): number {
  let same = 0;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (text.charCodeAt(from + at) !== code || code === 60 || code === 91 || code === 40) break;
    if (code === 32 || code === 10) same = at + 1;
  }
  return same;
}

const wordAt = (text: string, at: number): string => {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? '';
};

/** Offset after a word of a value, whose signs may be anywhere in it, and the signs that follow; -1 if there is a different one. */
function endOfWord(value: string, from: number, word: string): number {
  let at = from;
  for (let done = 0; done < word.length; ) {
    const size = Math.min(wordAt(value, at).length, word.length - done);
    if (size === 0 || !value.startsWith(word.slice(done, done + size), at)) return -1;
    done += size;
    at = passed(signs, value, at + size);
  }
  return at;
}

type NextOf = (sign: string, from: number) => number;

/** Finds the next of a sign within the length of a bracket, -1 if there is none; offsets that it is asked for grow. */
function nextIn(text: string, limit: number): NextOf {
  const known = new Map<string, number>();
  return (sign, from) => {
    const end = Math.min(limit, from + longestBracket);
    let at = Math.max(known.get(sign) ?? from, from);
    while (at < end && text[at] !== sign) at += 1;
    known.set(sign, at);
    return at < end ? at : -1;
  };
}

/** Whether a bracket is closed within a value in quotes or in an element. */
function isClosed(nextOf: NextOf, from: number, closer: string, close: string | undefined): boolean {
  const at = nextOf(closer, from);
  if (at < 0 || close === undefined) return at >= 0;
  const end = nextOf(close, from);
  return end < 0 || end > at;
}
