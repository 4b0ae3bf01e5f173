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

/** Angle brackets, and what stands for them. */
export const opening = '<‹＜〈⟨';
export const closing = '>›＞〉⟩';
export const bars: RegExp = /[|｜‖∣¦ǀ]+/g;
const bracketFirst = new RegExp(`^\\s*[${opening}|｜]`);
/** The letters and digits of a text, without an entity for a bracket before them. */
const lettersOf = (text: string): string =>
  text
    .replace(/^\s*&(?:lt|#60|#x3c);/i, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Whether a value whose opener is missing starts with what is left of it, or with another marker. */
export const startsInMarker = (value: string, opener: string): boolean =>
  bracketFirst.test(value) ||
  (lettersOf(opener) !== '' && lettersOf(value.slice(0, 200)).startsWith(lettersOf(opener)));

/** What separates the words of a marker. */
const separators = /[\s_▁\\-]+/g;

/** What is left of a marker's word: small letters, digits and, if they matter, single bars. */
export const folded = (word: string): string => word.replace(bars, '|').replace(separators, '').toLowerCase();
export const unbarred = (word: string): string => word.replaceAll('|', '');

/** Tokens in templates: brackets, and words up to an attribute, a hole or the end. */
export const templateToken: RegExp = /<(\/?)((?:[|｜]\w+[|｜] )?[^<>{}[\]="\s~]+)(?:[^<>]*)>|\[(\/?)([A-Z_]{3,})\]/g;

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
export const tag: RegExp = new RegExp(
  `[${opening}][ \\t]{0,3}(/?)[ \\t]{0,3}((?:[|｜‖]{1,2}[ \\t]{0,3}\\w{1,12}[ \\t]{0,3}[|｜‖]{1,2}[ \\t]{1,3})?[^\\s/${opening}${closing}="'“”‘’]{1,60})([^${opening}${closing}\\n]{0,200})[${closing}]`,
  'g',
);
export const square: RegExp = /[[［][ \t]{0,3}(\/?)([A-Za-z_\\-]{3,24})[ \t]{0,3}[\]］]/g;
/** At the start of a text, a marker may have lost one of its brackets. */
export const unopened: RegExp = new RegExp(`^\\s*(/?)([|｜‖]{0,2}[\\w:▁\\\\-]{3,60}[|｜‖]{0,2})[${closing}\\]]`);
export const unclosed: RegExp = new RegExp(
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
