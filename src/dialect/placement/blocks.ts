import { begins, type Place, plainTag, unclosed } from './place.ts';
import { passToken, type TokenKind, tokenKind } from './turns.ts';

/**
 * Elements that models put around their own response or its calls, like the sections of the dialects. Anything else
 * around a call shows it.
 */
const framing =
  /^(?:(?:\w+:)?(?:(?:tool|function)_?)?calls?|tool|tool_use|function|actions?|invoke|(?:final_)?(?:answer|response)|final|assistant|json|xml)$/;
const empty = /^(?:[bh]r|img|meta|link|wbr)$/;
/** Other lines that open such a block, with their closers. */
const listings: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /\\begin\{((?:[bv]?verbatim|lstlisting|minted|alltt|quot(?:e|ation)|code|comment)\*?)\}/i,
    ([, name]) => `\\end{${name}}`,
  ],
  [
    /\[(code|quote|pre|spoiler|noparse|think(?:ing)?|reasoning|(?:tool_|function_)?(?:results?|responses?|outputs?|content))(?:[ =][^\]]*)?\]/i,
    ([, name]) => `[/${name}]`,
  ],
  [/^\s*(\/{4,})\s*$/, ([, mark]) => `\n${mark}\n`],
  [/^\s*(?:\/\*|#\||\{-|\(\*|--\[\[|<#|=begin\b|#if 0\b)/, ([mark]) => closers[mark.trim()] ?? '*/'],
  // A string of several lines in Nix.
  [/[=(:]\s{0,9}''\s*$/, () => "''"],
  // Vim has words before the delimiter. A word of capitals also ends it before other signs, as in PHP.
  [
    /(?<!<)<<<?[-~]?[^\S\n]*(?:(?:trim|eval)[^\S\n]+){0,2}((?:'[^'\n]+'|"[^"\n]+"|\\.|[^\s|&;()<>'"\\`])+)/,
    ([, word = '']) => `\n${word.replace(/['"\\]/g, '')}${/^\W?[A-Z_]{2,}\W?$/.test(word) ? '' : '\n'}`,
  ],
  [/^\s*#\+begin_(\w+)/i, ([, name]) => `#+end_${name}`],
  [/^\s*-{2,}\s*(?:begin|start)\b([^-]{0,40})-{2,}\s*$/i, ([, what = '']) => `end${what}-`],
  [/^\s*(-{2,}\s*8<\s*-{2,})\s*$/, ([, line]) => `\n${line}\n`],
  [/\{(code|quote|noformat|panel)(?::[^{}]{0,60})?\}/i, ([, name]) => `{${name}}`],
  [/^\s*(:{3,})\s*\{?[.#\w]/, ([, mark]) => `\n${mark}\n`],
  [/^\s*\$\$/, () => '$$'],
  [/^\W{0,4}(?:BEGIN|START)(?: OF)? ([A-Z][A-Z ]{1,40}?)\W*$/, ([, what]) => `end ${what}`],
  [/^(-{4,}|\.{4,}|={4,}|_{4,}|\+{4,})\s*$/, ([, mark]) => `\n${mark}\n`],
];
/** What such lines contain, or start with. */
const listed = /\\begin|\[[cfnopq-t]|\{[cnpq]|<<|''/i;
const lists = /\s*(?:\/\*|\/{4}|#\||\{-|\(\*|=b|#i|#\+|--|<#|:::|\$\$)|[-.=_+]{4}/iy;
const closers: Readonly<Record<string, string>> = {
  '{-': '-}',
  '(*': '*)',
  '--[[': ']]',
  '#|': '|#',
  '<#': '#>',
  '=begin': '\n=end\n',
  '#if 0': '#endif',
};

const mostOpen = 24;
const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

/** What a tag says by itself. */
interface Tag {
  readonly plain: string;
  readonly name: string;
  readonly element: string | undefined;
  readonly closer: string | undefined;
  /** What closes it by its name, and by its element. */
  readonly ends: string;
  readonly endsElement: string;
  readonly kind: TokenKind;
  /** Whether it is an element with content. */
  readonly holds: boolean;
}

/** The tags that were read last. Documents repeat the same few. */
const knownTags = new Map<string, Tag>();
const mostTags = 256;

function readTag(tag: string): Tag {
  const known = knownTags.get(tag);
  if (known) return known;
  const plain = plainTag(tag);
  const name = /^\/?\|?([\w-]+)/.exec(plain)?.[1] ?? '';
  const element = /^\/?([\p{L}_][\p{L}\p{M}\p{N}_:.-]*)(?=[\s/]|$)/u.exec(plain)?.[1];
  const kind = tokenKind(plain);
  const holds = element !== undefined && !framing.test(element) && !empty.test(element);
  const [ends, endsElement] = [`</${name}>`, `</${element}>`];
  const read = { plain, name, element, ends, endsElement, closer: closerOf(plain, name), kind, holds };
  if (knownTags.size >= mostTags) knownTags.clear();
  knownTags.set(tag, read);
  return read;
}

export function endTag(p: Place, tag: string): void {
  const { plain, name, ends, endsElement, closer, kind, holds } = readTag(tag);
  passSection(p, plain);
  closeBlock(p, name);
  if (closer) openBlock(p, closer);
  if (tag.startsWith('/')) {
    if (kind === 'end') passToken(p, kind);
    if (name === p.results) p.results = '';
    closeBlock(p, ends);
    if (endsElement !== ends) closeBlock(p, endsElement);
  } else if (kind === 'result' || kind === 'reasoning') {
    if (!p.startsTurn) openBlock(p, ends);
    else if (!p.resulted && p.results === '') {
      if (kind === 'result') p.resulted = true;
      else p.results = name;
      p.lineBlock = /^[a-z]+$/.test(plain) ? ends : '';
    }
  } else if (kind !== undefined) passToken(p, kind);
  else if (tag.startsWith('?xml')) p.document ||= p.leadsLine;
  else if (holds && !p.sections.has(plain)) openBlock(p, endsElement);
}

/** A tag of one word at the start of a sentence, which it is only mentioned in. */
const startsSentence = /^\s*<[a-z]+>[ \t]\p{Ll}/iu;

/** Ends the line of a block. If its tag starts a sentence, it is only mentioned, unless it is closed later. */
export function passLineBlock(p: Place): void {
  if (startsSentence.test(p.line)) {
    p.results = '';
    p.resulted = false;
    openBlock(p, p.lineBlock);
  }
  p.lineBlock = '';
}

/** Special tokens of any model family that open results or reasoning. */
const opensTokens = /^(start_|begin_)?(\w+?)(_start|_begin|_prefix)?$/;
const shownTokens = /^(?:(?:tool|function|search)_?(?:call_)?(?:responses?|results?|outputs?)|inner|think(?:ing)?)$/;

/** The closer of such a token. */
function closerOf(tag: string, name: string): string | undefined {
  const [, start, base = '', end] = opensTokens.exec(name) ?? [];
  if (!shownTokens.test(base)) return undefined;
  if (start) return `end_${base}`;
  if (end) return base + (end === '_prefix' ? '_suffix' : '_end');
  // A single bar is on the outer side.
  return tag[0] === '|' && !tag.endsWith('|') ? `<${base}|>` : undefined;
}

export function openBlock(p: Place, closer: string): void {
  if (!p.open.includes(closer)) p.open = [...p.open.slice(0, mostOpen - 1), closer];
}

function closeBlock(p: Place, closer: string): void {
  const at = p.open.lastIndexOf(closer);
  if (at >= 0) p.open = at === p.open.length - 1 ? p.open.slice(0, at) : p.open.toSpliced(at, 1);
}

/** Whether a line closes a block, and not its own tag. */
const isListing = (closer: string): boolean => !(closer.charCodeAt(0) === 60 && closer.charCodeAt(1) === 47);

/** Tracks listings that the line opens or closes. */
export function passListings(p: Place): void {
  const before = p.open;
  if (before.some(isListing)) {
    const line = `\n${plainTag(p.line).trimEnd().toLowerCase()}\n`;
    p.open = before.filter((one) => !isListing(one) || !line.includes(one));
  }
  if (p.open.length === before.length) for (const closer of listedIn(p)) openBlock(p, closer);
}

/** Closers of the listings that the line opens. */
export function listedIn({ line: start, lineEnd, ruled }: Place): readonly string[] {
  const line = start + lineEnd;
  if (!listed.test(line) && !namesList(line) && (startsPlain(line) || !begins(lists, line))) return [];
  const low = line.toLowerCase();
  return listings.flatMap(([opener, closerOf], at) => {
    const found = at < listings.length - 1 || ruled ? opener.exec(line) : undefined;
    const closer = found && closerOf(found).toLowerCase();
    return closer && !low.includes(closer, found.index + found[0].length) ? [closer] : [];
  });
}

/**
 * A section whose opener is text is text as a whole, including nested ones, up to its closer. If words follow in its
 * line, it is only mentioned.
 */
function passSection(p: Place, tag: string): void {
  const close = p.sections.get(tag);
  if (tag === p.section) {
    p.section = undefined;
    p.shows = p.shows === 'in' ? 'behind' : 'none';
  } else if (close === unclosed) p.token = 'behind';
  else if (close === '') p.header = true;
  else if (close !== undefined && p.section === undefined) {
    p.section = close;
    p.opened = true;
    p.shows = 'in';
  }
}

/** Whether the line starts with a letter or a tag. */
export function startsPlain(line: string): boolean {
  let at = 0;
  while (line.charCodeAt(at) <= 32) at++;
  if (line.charCodeAt(at) === 60) at += line.charCodeAt(at + 1) === 47 ? 2 : 1;
  const code = line.charCodeAt(at) | 32;
  return code > 96 && code < 123;
}

/** Whether the line may start with the word of a listing. */
const namesList = (line: string): boolean => {
  const letters = lettersOf(line);
  return letters === 'be' || letters === 'st';
};

/** The two characters from the first letter, digit or `_` near the start, in lower case. */
export function lettersOf(line: string): string {
  for (let at = 0; at < 7; at++) if (isWordCode[line.charCodeAt(at)] === 1) return line.slice(at, at + 2).toLowerCase();
  return '';
}
