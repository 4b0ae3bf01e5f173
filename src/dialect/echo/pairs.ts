import { isObject } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { argumentKeys, idKeys, nameKeys } from '../call/call-shape.ts';
import { canonical, fold } from './canonical.ts';
import { endOfLetters } from './letters.ts';
import { endOf, objectAt } from './object-at.ts';
import { type Anchor, anchorsOf, numberAt, type Span, type TextIndex } from './text-index.ts';

/** An argument to search for. */
export interface SoughtPair {
  /** What its key may be, folded. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether it is one of few allowed values, in any case. */
  readonly isMember: boolean;
  readonly anchors: readonly Anchor[];
}

/** A call to search for by its keys and values. */
export interface SoughtPairs {
  /** Spellings of its name, folded. */
  readonly names: readonly string[];
  readonly pairs: readonly SoughtPair[];
  /** The other keys of its tool, folded. */
  readonly others: readonly string[];
  /** How far it may extend. */
  readonly reach: number;
}

/** Counts work; whether some is left. */
export type Spend = (work: number) => boolean;

/** Labels that stand for the key of a lone text argument. */
export const loneKeys: readonly string[] = [...argumentKeys, 'action_input', 'tool_input', 'input'].map(fold);

/** The pairs of an object. */
export const soughtPairs = (
  input: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): SoughtPair[] => {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const isLone = entries.length === 1 && typeof entries[0]?.[1] === 'string' && entries[0][1].trim() !== '';
  return entries.map(([key, value]) => ({
    keys: isLone ? [fold(key), ...loneKeys] : [fold(key)],
    value,
    isMember: isMember(properties[key], value),
    anchors: leavesOf(value).flatMap((leaf) => anchorsOf(leaf)),
  }));
};

const isMember = (schema: JsonSchema | undefined, value: unknown): boolean =>
  isObject(schema) && Array.isArray(schema.enum) && typeof value === 'string' && schema.enum.includes(value);

const leavesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

/**
 * Whether a text contains a call as its name and its keys with their values: in any order, with nothing between them but
 * notation, and without another argument of the tool.
 *
 * @param isLoose whether a few words may be between them
 * @param spend counts work; whether some is left
 */
export function holdsPairs(index: TextIndex, sought: SoughtPairs, isLoose: boolean, spend: Spend): boolean {
  const starts = sought.pairs.map((pair) => ({ pair, rarest: rarestOf(index, pair) }));
  const first = starts.reduce((a, b) => (b.rarest.count < a.rarest.count ? b : a));
  let tries = 0;
  for (const place of placesOf(index, first.pair, first.rarest.anchor, sought.reach)) {
    tries += 1;
    if (index.isJoined && (tries > mostJoined || !spend(0))) return false;
    spend(16);
    const end = endOfPair(index, place, first.pair, spend);
    if (end >= 0 && joinsAll(index, [place[0], end], first.pair, sought, isLoose, spend)) return true;
  }
  return false;
}

/** Maximum places of an argument in a text with joined lines, each of which may be another reading of one in the text. */
const mostJoined = 500;

/** The word of a value that the text has the fewest of; its keys, if it has no words. */
function rarestOf(index: TextIndex, { keys, anchors }: SoughtPair): { anchor?: Anchor; count: number } {
  const all = anchors.map((anchor) => ({ anchor, count: index.offsets(anchor.word).length }));
  const counts = index.isJoined ? all.filter(({ count }) => count > 0) : all;
  if (counts.length === 0) return { count: keys.reduce((sum, key) => sum + index.places(key).length, 0) };
  return counts.reduce((a, b) => (b.count < a.count ? b : a));
}

/** Where the key of an argument may be: before the words of its value. */
function* placesOf(index: TextIndex, { keys, value }: SoughtPair, anchor: Anchor | undefined, reach: number) {
  if (!anchor) {
    for (const key of keys) yield* index.places(key);
    return;
  }
  const [most, offset] = typeof value === 'object' ? [8, 0] : [2, anchor.offset];
  for (const at of index.offsets(anchor.word))
    for (const key of keys) {
      let count = 0;
      for (const place of index.before(key, at - offset)) {
        if (count === most || at - place[1] > reach) break;
        yield place;
        count += 1;
      }
    }
}

/** Whether the name and the other pairs are next to a pair, or next to each other. */
function joinsAll(
  index: TextIndex,
  pair: Span,
  first: SoughtPair,
  { names, pairs, others }: SoughtPairs,
  isLoose: boolean,
  spend: Spend,
): boolean {
  const { text } = index;
  const open = new Set(pairs.filter((one) => one !== first));
  let [start, end] = pair;
  let name: Span | undefined;
  const gaps: Span[] = [];
  const isGap = (from: number, to: number): boolean => {
    if (to - from > longestGap) return false;
    spend(8 + to - from);
    return (isNotation(text, from, to) || (isLoose && isWords(text, from, to))) && !hasOther(index, from, to, others);
  };
  // Words between two pairs don't contain a third one, which would never be joined then.
  const skips = (gap: Span, joined: SoughtPair): boolean =>
    isLoose && [...open].some((one) => one !== joined && hasOther(index, ...gap, one.keys));
  const grow = (): boolean => {
    for (const one of open)
      for (const key of one.keys)
        for (const place of near(index, key, start, end)) {
          const to = endOfPair(index, place, one, spend);
          const gap: Span = place[0] >= end ? [end, place[0]] : [to, start];
          if (to < 0 || gap[0] > gap[1] || !isGap(...gap) || skips(gap, one)) continue;
          gaps.push(gap);
          [start, end] = [Math.min(start, place[0]), Math.max(end, to)];
          return open.delete(one);
        }
    for (const key of name ? [] : names)
      for (const place of near(index, key, start, end)) {
        const isAfter = place[0] >= end;
        if (!(isAfter ? isGap(end, place[0]) && isLabelled(text, end, place) : isGap(place[1], start))) continue;
        [start, end] = [Math.min(start, place[0]), Math.max(end, place[1])];
        name = place;
        return true;
      }
    // A record may have the name between its keys.
    name ??= names.flatMap((key) => gaps.flatMap(([from, to]) => within(index, key, from, to))).at(0);
    return name !== undefined && open.size === 0;
  };
  while (open.size > 0 || !name) if (!grow()) return false;
  return !(end > name[1] && hasNext(index, end, others)) && !(start < name[0] && hasPrevious(index, start, others));
}

const longestGap = 400;

/** The first place of a key in a part of a text. */
function within(index: TextIndex, key: string, from: number, to: number): readonly Span[] {
  const place = index.after(key, from);
  return place && place[1] <= to ? [place] : [];
}

/** The next places of a key after and before a part of a text. */
function* near(index: TextIndex, key: string, start: number, end: number): Generator<Span> {
  let from = end;
  for (let count = 0; count < 3; count += 1) {
    const place = index.after(key, from);
    if (!place || place[0] - end > longestGap) break;
    yield place;
    from = place[1];
  }
  let count = 0;
  for (const place of index.before(key, start)) {
    if (count === 3) break;
    yield place;
    count += 1;
  }
}

const words = (list: readonly string[]): string => list.map((word) => word.replace('_', '[_\\- ]?')).join('|');
const labels = words([
  ...nameKeys,
  ...argumentKeys,
  'input',
  'payload',
  'argument',
  'parameter',
  'param',
  'arg',
  'call',
  'array',
  'object',
  'json',
]);
const passing = words([...idKeys, 'type', 'index', 'status', 'action']);
const closes = `["'\`*\\])}]{0,4}\\s{0,4}`;
/** One piece of notation: a list number, an id, an attribute, a key, a label, a tag, a method, a heading, punctuation. */
const notation = new RegExp(
  [
    '\\d{1,3}[.)]\\s',
    `(?:${passing})["'\`]?\\s{0,4}[:=]\\s{0,4}["'\`]?[\\w.:-]{1,60}["'\`]?`,
    `[\\w:-]{1,40}=["'][^"'<>\\n]{0,60}["'](?=\\s{1,8}[\\w:-]{1,40}=)`,
    `[\\p{L}\\p{N}_.$-]{1,60}(?=${closes}(?:[:=|>→]|->))`,
    `(?:${labels}|with(?=[^\\p{L}\\p{N}]{0,4}[:\\n]))(?![\\p{L}\\p{N}])`,
    '<[^\\p{L}\\p{N}<>\\s]{0,4}[\\p{L}\\p{N}_:.▁｜|-]{1,60}',
    '\\.[\\p{L}_]\\w{0,40}(?=\\s{0,4}\\()',
    '\\[{1,2}[\\w.-]{1,60}\\]{1,2}',
    '[.!?](?!\\s)|[^\\p{L}\\p{N}.!?]',
  ].join('|'),
  'iuy',
);

function isNotation(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at = notation.lastIndex) {
    notation.lastIndex = at;
    if (!notation.test(text)) return false;
  }
  return true;
}

/** A few words on at most two lines, without the end of a sentence. */
function isWords(text: string, from: number, to: number): boolean {
  const between = text.slice(from, to);
  return (
    /^[\p{L}\p{N} \t,:;'"`*()_-]*\n?[\p{L}\p{N} \t,:;'"`*()_-]*$/u.test(between) && between.split(/\s+/).length <= 10
  );
}

const endsInLabel = new RegExp(
  `(?:[:=>(|][^\\p{L}\\p{N}.,;]{0,9}|(?<![\\p{L}\\p{N}])(?:${words(nameKeys)})[^\\p{L}\\p{N}]{1,4})$`,
  'iu',
);

/**
 * Whether a key, a tag or a bracket introduces a name, or the name ends the line of the pairs. After a colon, nothing but
 * the name may be on the line.
 */
function isLabelled(text: string, from: number, [start, end]: Span): boolean {
  const label = text.slice(from, start);
  boundaries.line.lastIndex = end;
  const endsLine = boundaries.line.test(text);
  return endsInLabel.test(label) ? endsLine || !/[:：][ \t]*$/.test(label) : endsLine && !/[\p{L}\p{N}\n]/u.test(label);
}

/** Whether other arguments of the tool are in a part of a text. */
const hasOther = (index: TextIndex, from: number, to: number, others: readonly string[]): boolean =>
  others.some((key) => {
    const place = index.after(key, from);
    return place !== undefined && place[1] <= to && hasValue(index.text, place);
  });

/** Whether another argument of the tool follows. */
const hasNext = (index: TextIndex, end: number, others: readonly string[]): boolean =>
  others.some((key) => {
    const place = index.after(key, end);
    if (!place || place[0] - end > 60) return false;
    return isNotation(index.text, end, place[0]) && hasValue(index.text, place);
  });

const oneValue = /^["'`]?[^\n<>]{0,60}["'`]?(?:<\/[^<>]{0,60}>)?[^\p{L}\p{N}]{0,40}(?:<\w{1,40}>?)?$/u;

/** Whether another argument of the tool precedes. */
const hasPrevious = (index: TextIndex, start: number, others: readonly string[]): boolean =>
  others.some((key) => {
    const [place] = index.before(key, start);
    if (!place || start - place[1] > 160) return false;
    return connectionsAt(index.text, place).some(([at]) => at <= start && oneValue.test(index.text.slice(at, start)));
  });

const noValue = /\s{0,8}["'`]{0,2}(?:-|null|none)?["'`]{0,2}[ \t]{0,8}(?:$|[\n,;|)}\]<])/iy;

const hasValue = (text: string, place: Span): boolean =>
  connectionsAt(text, place).some(([at]) => {
    noValue.lastIndex = at;
    return !noValue.test(text);
  });

/** How a value is separated from its key, and so where it ends. */
type Kind = 'tag' | 'line' | 'word' | 'cell' | 'sign' | 'spaced';
const connections: readonly { readonly after?: RegExp; readonly pattern: RegExp; readonly kind: Kind }[] = [
  {
    after: /[="'<>|]\s{0,40}$/,
    pattern: /["']?(?:\s{0,40}<\/[^<>\n]{1,40}>\s{0,8}<[^<>\n]{1,40}>|[^<>\n]{0,60}(?:>|<\|sep\|>)|\stype="\w{1,9}")/y,
    kind: 'tag',
  },
  { pattern: /["'`*_\])}]{0,4}\s{0,4}(?:[:：|])[*_]{0,2}[ \t]{0,8}/y, kind: 'line' },
  { pattern: /["'`*_\])}]{0,4}\s{0,4}(?:=>|->|→|⇒|:?==?)[*_]{0,2}[ \t]{0,8}/y, kind: 'word' },
  { pattern: /["'`]?[\s,;]{1,4}["'`]?(?:value|val|content|text|data)["'`]?\s{0,4}[:=]>?\s{0,4}/y, kind: 'word' },
  { after: /(?:^|[\s"'`({[,;<])(?:--?|[:@/+(]|\(:)$/, pattern: /[ \t]{1,8}(?:\.[ \t]{1,4})?/y, kind: 'word' },
  { pattern: /["'`]?[ \t]{0,4}[\t,][ \t]{0,4}/y, kind: 'cell' },
  // Any other sign, also repeated; quotes and brackets around both.
  { pattern: /["'`*)\]}]{0,4}(?!:[^:]|\|)([^\p{L}\p{N}\s"'`.,!?_-])\1{0,3}/uy, kind: 'sign' },
  { pattern: /["'`*)\]}]{0,4}[ \t]{1,8}([^\p{L}\p{N}\s"'`.,!?_])\1{0,3}[ \t]{0,8}/uy, kind: 'spaced' },
  { pattern: /["'`*)\]}]{1,4}[ \t]{0,8}(?=["'`])|[ \t]{1,8}(?=["'`“„«])/y, kind: 'line' },
];

function connectionsAt(text: string, [from, to]: Span): (readonly [at: number, kind: Kind])[] {
  const before = text.slice(Math.max(0, from - 42), from);
  return connections.flatMap(({ after, pattern, kind }) => {
    pattern.lastIndex = to;
    return (!after || after.test(before)) && pattern.test(text) ? [[pattern.lastIndex, kind] as const] : [];
  });
}

/** Offset after the value of a key; -1 if it is a different one. */
function endOfPair({ text }: TextIndex, place: Span, { value, isMember }: SoughtPair, spend: Spend): number {
  for (const [at, kind] of connectionsAt(text, place)) {
    const found = isMember ? memberAt(text, at, String(value)) : value;
    const end = endOfValue(text, at, found, kind, spend);
    if (end >= 0) return end;
  }
  return -1;
}

/** An allowed value as written, in another case. */
function memberAt(text: string, from: number, value: string): string {
  const at = passed(/[\s"'`:]*/y, text, from);
  const written = text.slice(at, at + value.length);
  return written.toLowerCase() === value.toLowerCase() ? written : value;
}

const opensBlock = /[|>][+-]?\d?[ \t]*\r?\n/y;
const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '«': '»',
  '„': '“',
};
const boundaries: Readonly<Record<Kind, RegExp>> = {
  tag: /\s*(?:<|\]<\]|argument|$)/y,
  /** After a colon, a value extends to the end of its line or to the next key. */
  line: /["'`]?[ \t]*(?:$|[\n\r,;)\]}>|#]|\.(?:\s|$)|<\/|["'`]?[\w-]{1,60}["'`]?[:=])/y,
  word: /["'`]?(?:$|[\s,;)\]}>|&]|\/>|<\/|\.(?:\s|$))/y,
  cell: /["'`]?[ \t]*(?:$|[\n\r\t,;|)\]}])/y,
  spaced: /["'`]?(?:[ \t]*(?:$|[\n\r,;)\]}>|#])|[ \t]+[^\p{L}\p{N}\t .!?([{"'`@_-]|\.(?:\s|$)|<\/)/uy,
  sign: /["'`]?(?:$|[^\p{L}\p{N}/._@#:-]|\/(?:>|[\p{L}_][\w-]{0,60}\/)|[.:](?:\s|$)|::)/uy,
};

/** Offset after a value; -1 if there is a different one. */
function endOfValue(text: string, from: number, value: unknown, kind: Kind, spend: Spend): number {
  const at = passed(opensBlock, text, from);
  const start = passed(blank, text, at);
  if (typeof value === 'object' && value !== null) {
    const open = text[start] === '"' || text[start] === "'" ? start + 1 : start;
    if (text[open] === '{' || text[open] === '[') {
      const wanted = canonical(value);
      const near = text.slice(open, open + 8 * wanted.length + 1000);
      return canonical(objectAt(near, 0)) === wanted ? open + endOf(near, 0) : -1;
    }
    return isObject(value)
      ? endOfObject(text, at, value, spend)
      : endOfItems(text, at, value as readonly unknown[], spend);
  }
  // A symbol of Ruby.
  if (typeof value === 'string' && /^:["']?\p{L}/u.test(text.slice(start, start + 3)) && !value.startsWith(':'))
    return endOfValue(text, start + 1, value, kind, spend);
  const quote = text[start] as string;
  const close = String(value).startsWith(quote) ? undefined : closers[quote];
  const run = close && text.startsWith(quote.repeat(3), start) ? 3 : 1;
  const stop = endOfScalar(text, close ? start + run : start, value);
  if (
    typeof value === 'string' &&
    (stop < 0 ? close !== undefined || kind === 'tag' : close && !text.startsWith(close, stop))
  ) {
    const end = endOfLetters(text, close ? start + run : start, value, close, spend);
    if (end >= 0) return end;
  }
  if (stop < 0) return -1;
  if (close) return text.startsWith(close.repeat(run), stop) ? stop + run : -1;
  const boundary = boundaries[kind === 'line' && at !== from ? 'word' : kind];
  boundary.lastIndex = stop;
  return boundary.test(text) ? stop : -1;
}

const blank = /\s*/y;

function passed(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function endOfScalar(text: string, from: number, value: unknown): number {
  if (typeof value === 'string') return endOfWords(text, from, value);
  if (typeof value === 'number') {
    const found = numberAt(text, from);
    return found?.value === value ? found.end : -1;
  }
  const written = String(value);
  return text.slice(from, from + written.length).toLowerCase() === written ? from + written.length : -1;
}

const nextKey = /(?:[^\p{L}\p{N}]|\d{1,3}[.)]\s){0,60}?["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,60})/uy;

/** Offset after the pairs of a nested object, in any order. */
function endOfObject(text: string, from: number, value: Readonly<Record<string, unknown>>, spend: Spend): number {
  const open = new Map(Object.entries(value).map(([key, item]) => [fold(key), item]));
  let at = from;
  while (open.size > 0) {
    nextKey.lastIndex = at;
    const [found, key = ''] = nextKey.exec(text) ?? [];
    if (found === undefined || !open.has(fold(key))) return -1;
    const end = nextKey.lastIndex;
    const item = open.get(fold(key));
    at = connectionsAt(text, [end - key.length, end]).reduce(
      (stop, [start, kind]) => (stop >= 0 ? stop : endOfValue(text, start, item, kind, spend)),
      -1,
    );
    if (at < 0) return -1;
    open.delete(fold(key));
  }
  return at;
}

const beforeItem = /(?:<\/?[^<>\n]{1,60}>|[\s,;|*•[(]|-[ \t]|--?\w[\w-]{0,40}[ =])*/y;
const nextItem = /\s*-[ \t]+\S|,[ \t]*["'`]?[\w.]{1,60}(?![\w.]|["'`]?\s?[:=(])/y;

/** Offset after the items of a list. */
function endOfItems(text: string, from: number, items: readonly unknown[], spend: Spend): number {
  let at = from;
  for (const [place, item] of items.entries()) {
    const start = passed(beforeItem, text, at);
    if (place > 0 && !/\S/.test(text.slice(at, start))) return -1;
    const ends = (['tag', 'line', 'word'] as const).map((kind) => endOfValue(text, start, item, kind, spend));
    at = Math.max(...ends);
    if (at < 0) return -1;
  }
  nextItem.lastIndex = at;
  return nextItem.test(text) ? -1 : at;
}

/** Offset after words with any white space between them; -1 if there are different ones. */
function endOfWords(text: string, from: number, written: string): number {
  let at = from;
  for (const [word] of written.matchAll(/\S+/g)) {
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
    if (!text.startsWith(word, at)) return -1;
    at += word.length;
  }
  return at;
}
