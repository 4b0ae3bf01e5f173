import { dialects } from '../rows/index.ts';
import type { Dialect } from '../types.ts';

/** How a row spells its markers, indexed by what is left of them without brackets, bars, separators and case. */
export interface MarkerSpelling {
  /** With bars, which distinguish some markers of a row. */
  readonly barred: ReadonlyMap<string, string>;
  /** Without bars, if only one marker of the row is left then. */
  readonly plain: ReadonlyMap<string, string>;
}

/** A text whose markers are spelled as a row does. */
export interface Respelled {
  readonly text: string;
  /** The markers that were replaced, as the row spells them. */
  readonly replaced: ReadonlySet<string>;
  /** How many markers of the row the text contains, in any spelling. */
  readonly count: number;
}

const opening = '<‹＜〈⟨';
const closing = '>›＞〉⟩';
const bars = /[|｜‖∣¦ǀ]+/g;
/** What separates the words of a marker. */
const separators = /[\s_▁\\-]+/g;

/** What is left of a marker's word: small letters, digits and, if they matter, single bars. */
const folded = (word: string): string => word.replace(bars, '|').replace(separators, '').toLowerCase();
const unbarred = (word: string): string => word.replaceAll('|', '');

/** Tokens in templates: brackets, and words up to an attribute, a hole or the end. */
const templateToken = /<(\/?)((?:[|｜]\w+[|｜] )?[^<>{}[\]="\s~]+)(?:[^<>]*)>|\[(\/?)([A-Z_]{3,})\]/g;

const spellings = new WeakMap<Dialect, MarkerSpelling>();

/** The markers of a row. */
export function spellingOf(row: Dialect): MarkerSpelling {
  const known = spellings.get(row);
  if (known) return known;
  const barred = new Map<string, string>();
  for (const template of templatesOf(row)) {
    for (const [token, slash = '', word, squareSlash = '', square] of template.matchAll(templateToken)) {
      if (square) barred.set(`[${squareSlash}${folded(square)}`, token);
      else if (word) barred.set(slash + folded(word), `<${slash}${word}`);
    }
  }
  const plain = new Map<string, string>();
  const several = new Set<string>();
  for (const [key, marker] of barred) {
    if (plain.has(unbarred(key))) several.add(unbarred(key));
    plain.set(unbarred(key), marker);
  }
  for (const key of several) plain.delete(key);
  const made = { barred, plain };
  spellings.set(row, made);
  return made;
}

const templatesOf = ({ forms, sections = [], frame, drop = [], inner = [] }: Dialect): readonly string[] => [
  ...forms.flatMap(({ open, close = [], param = '' }) => [open, param, ...close]),
  ...sections.flat(),
  ...(frame ? [...frame.open, frame.message, ...frame.end] : []),
  ...drop,
  ...inner,
];

const lookUp = ({ barred, plain }: MarkerSpelling, key: string): string | undefined =>
  barred.get(key) ?? plain.get(unbarred(key));

/** Tags in any brackets, with white space where markers have none. No part spans lines. */
const tag = new RegExp(
  `[${opening}][ \\t]{0,3}(/?)[ \\t]{0,3}((?:[|｜‖]{1,2}\\w{1,12}[|｜‖]{1,2}[ \\t]{1,3})?[^\\s/${opening}${closing}="'“”‘’]{1,60})([^${opening}${closing}\\n]{0,200})[${closing}]`,
  'g',
);
const square = /[[［][ \t]{0,3}(\/?)([A-Za-z_\\-]{3,24})[ \t]{0,3}[\]］]/g;
/** At the start of a text, a marker may have lost one of its brackets. */
const unopened = new RegExp(`^\\s*(/?)([|｜‖]{0,2}[\\w:▁\\\\-]{3,60}[|｜‖]{0,2})[${closing}\\]]`);
const unclosed = new RegExp(
  `^\\s*([[${opening}])[ \\t]{0,3}(/?)([|｜‖]{0,2}[\\w:▁\\\\-]{3,60}[|｜‖]{0,2})(?=[\\s{[]|$)`,
);
const plainQuotes = (attributes: string): string => attributes.replace(/[“”„‟＂]/g, '"').replace(/[‘’‚‛＇]/g, "'");

/**
 * Spells all markers of a text as a row does: other brackets and bars, white space, case, separators and typographic
 * quotes. Undefined if one marker is spelled in two ways, because one of them then belongs to a value.
 */
export function respelled(text: string, row: Dialect): Respelled | undefined {
  const spelling = spellingOf(row);
  const replaced = new Set<string>();
  const ways = new Map<string, string>();
  let count = 0;
  let mixed = false;
  const note = (marker: string, way: string, isSame: boolean): void => {
    count += 1;
    mixed ||= ways.has(marker) && ways.get(marker) !== way;
    ways.set(marker, way);
    if (!isSame) replaced.add(marker);
  };
  const bracketed = text.replace(tag, (token, slash: string, word: string, more: string) => {
    const hasAttributes = more.includes('=');
    const head = lookUp(spelling, slash + folded(hasAttributes ? word : word + more));
    if (head === undefined) return token;
    const attributes = hasAttributes ? plainQuotes(more).trimEnd() : '';
    const made = `${head}${attributes}>`;
    note(head, hasAttributes ? token.slice(0, token.lastIndexOf(more)) : token, made === token);
    return made;
  });
  const squared = bracketed.replace(square, (token, slash: string, word: string) => {
    const head = spelling.barred.get(`[${slash}${folded(word)}`);
    if (head === undefined) return token;
    note(head, token, head === token);
    return head;
  });
  const made = withBrackets(squared, spelling, (head, token) => note(head, token, false));
  return mixed ? undefined : { text: made, replaced, count };
}

/** Adds the bracket that the first marker of a text lost. */
function withBrackets(text: string, spelling: MarkerSpelling, note: (head: string, token: string) => void): string {
  const first = unopened.exec(text);
  const other = first ? undefined : unclosed.exec(text);
  const [token = '', slash = '', word = ''] = first ?? (other && [other[0], other[2] ?? '', other[3] ?? '']) ?? [];
  if (token === '') return text;
  const head = lookUp(spelling, slash + folded(word)) ?? spelling.barred.get(`[${slash}${folded(word)}`);
  if (head === undefined) return text;
  note(head, token);
  return (head.startsWith('[') ? head : `${head}>`) + text.slice(token.length);
}

const blockWords = new Set(['tool', 'function', 'call', 'invoke', 'action']);
const blockMore = new Set(['use', 'uses', 'request', 'requests', 'execute', 'exec', 'invocation', 'code', 'block']);

/** The words of a tag's name, in small letters and without a prefix or a plural. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/^.*[:|｜](?=\w)/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (blockWords.has(word.replace(/s$/, '')) ? word.replace(/s$/, '') : word));

/**
 * Whether a tag that no row has is named like a block of calls: `tool_use`, `function-calls`. Results aren't, and `tools`
 * lists tools.
 */
export const isCallBlock = (name: string): boolean =>
  namesCalls(name) && (wordsOf(name).length > 1 || !/^[tf]/.test(name));

/** Whether a tag's name consists of words for calls and tools. */
export const namesCalls = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words.some((word) => blockWords.has(word)) && words.every((word) => blockWords.has(word) || blockMore.has(word))
  );
};

const begunTag = new RegExp(
  `^[[［\\]${opening}][ \\t]{0,3}(/?)[ \\t]{0,3}((?:[|｜‖]{1,2}\\w{1,12}[|｜‖]{1,2}[ \\t]{0,3})?[^\\s/${opening}${closing}="'“”‘’\\]］]{0,60})`,
);
const begunWord = /^(\/?)([|｜‖]{0,2}[\w:▁\\-]{0,60}[|｜‖]{0,2})/;

/**
 * Whether a text starts with a marker of one of the rows, in any spelling: `maybe` if more text is needed, and `other` if
 * it is named like a block of calls.
 */
export function beginsMarker(text: string, rows: readonly Dialect[]): 'no' | 'maybe' | 'sure' {
  const tagged = begunTag.exec(text);
  const [begun = '', slash = '', word = ''] = tagged ?? begunWord.exec(text) ?? [];
  if (begun === '') return 'no';
  const next = text[begun.length];
  const key = slash + unbarred(folded(word));
  const keys = keysOf(rows);
  if (tagged) {
    if (next === undefined) return keys.some((one) => one.startsWith(key)) || mayBlock(word) ? 'maybe' : 'no';
    return keys.includes(key) || namesCalls(word) ? 'sure' : 'no';
  }
  // A word without its bracket has its own case.
  const words = wordsOfRows(rows);
  const plain = slash + word.replace(bars, '');
  if (next === undefined) return words.some((one) => one.startsWith(plain)) ? 'maybe' : 'no';
  return words.includes(plain) && `${closing}]`.includes(next) ? 'sure' : 'no';
}

const mayBlock = (begun: string): boolean => {
  const words = wordsOf(begun);
  const last = words.at(-1) ?? '';
  const isWord = (word: string): boolean => blockWords.has(word) || blockMore.has(word);
  return words.slice(0, -1).every(isWord) && [...blockWords, ...blockMore].some((one) => `${one}s`.startsWith(last));
};

const wordLists = new WeakMap<readonly Dialect[], readonly string[]>();

/** The words of the markers of rows, with their case. */
function wordsOfRows(rows: readonly Dialect[]): readonly string[] {
  const known = wordLists.get(rows);
  if (known) return known;
  const words = rows.flatMap((row) =>
    [...spellingOf(row).barred.values()].map((head) => head.replace(/[<[\]]|[|｜]/g, '')),
  );
  wordLists.set(rows, [...new Set(words)]);
  return words;
}

const keysOfRows = new WeakMap<readonly Dialect[], readonly string[]>();

/** The markers of rows, without brackets and bars. */
function keysOf(rows: readonly Dialect[]): readonly string[] {
  const known = keysOfRows.get(rows);
  if (known) return known;
  const all = new Set(
    rows.flatMap((row) => [...spellingOf(row).barred.keys()].map((key) => unbarred(key).replace('[', ''))),
  );
  const keys = [...all];
  keysOfRows.set(rows, keys);
  return keys;
}

/** Whether a text consists of markers of the rows in any spelling, or blocks named like them, and of nothing else. */
export function isOnlyMarkers(text: string, rows: readonly Dialect[]): boolean {
  if (text.length > 400 || !/\S/.test(text)) return false;
  const keys = keysOf(rows);
  const isKnown = (slash: string, word: string): boolean => keys.includes(slash + unbarred(folded(word)));
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

const closesOf = ({ forms, sections = [] }: Dialect): readonly string[] => [
  ...forms.flatMap(({ close = [], param = '' }) => [...close, param.split('{value}')[1] ?? '']),
  ...sections.map(([, close]) => close),
];

/** What is left of the markers in templates. */
const keysIn = (templates: readonly string[]): ReadonlySet<string> =>
  new Set(
    templates.flatMap((template) =>
      [...template.matchAll(templateToken)].map(([, slash = '', word, squareSlash = '', square]) =>
        square ? `[${squareSlash}${folded(square)}` : slash + folded(word ?? ''),
      ),
    ),
  );

const closers = keysIn(dialects.flatMap(closesOf));
const openers = keysIn(
  dialects.flatMap(({ forms, sections = [] }) => [...forms.map(({ open }) => open), ...sections.map(([open]) => open)]),
);
const plainClosers = new Set([...closers].map(unbarred).filter((key) => !openers.has(key)));
const tagHere = new RegExp(tag.source, 'y');
const squareHere = new RegExp(square.source, 'y');
const begunHere = new RegExp(`[${opening}[［][^\\s${closing}\\]］]{0,60}[ \\t]{0,3}$`, 'y');

/** The end of a closer of any dialect in any spelling; undefined if there is none. */
export function closerAt(text: string, at: number): number | undefined {
  tagHere.lastIndex = at;
  const [, slash = '', word = '', more = ''] = tagHere.exec(text) ?? [];
  const key = slash + folded(word + more);
  if (word && (closers.has(key) || plainClosers.has(unbarred(key)))) return tagHere.lastIndex;
  squareHere.lastIndex = at;
  const [, squareSlash = '', square = ''] = squareHere.exec(text) ?? [];
  return square && closers.has(`[${squareSlash}${folded(square)}`) ? squareHere.lastIndex : undefined;
}

/** The end of closers of any dialect, if nothing but them is left of the text; undefined otherwise. */
export function otherClosers(text: string, from: number, ended: boolean): number | 'wait' | undefined {
  let at = from;
  for (let end = closerAt(text, at); end !== undefined; end = closerAt(text, at)) {
    at = end;
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  }
  if (at === text.length && at > from) return ended ? at : 'wait';
  begunHere.lastIndex = at;
  return !ended && begunHere.test(text) ? 'wait' : undefined;
}
