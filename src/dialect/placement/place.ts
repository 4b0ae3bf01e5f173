import { noQuestion, type QuestionState } from './question.ts';

/** Whether calls after the preceding text are shown: for special tokens, and for plain markers. */
export interface Shown {
  readonly special: boolean;
  readonly plain: boolean;
}

/**
 * The position in a message: what the preceding text means for a call here. Updated character by character, so that
 * chunks don't matter.
 */
export interface Place extends QuestionState {
  /** The start of the line, and the end of a long one. */
  line: string;
  lineEnd: string;
  /** The start of the last line before it that isn't blank. */
  lineBefore: string;
  /** How many lines in sequence before it are keys with their values. */
  pairs: number;
  /** Whether the line has more than white space. */
  solid: boolean;
  /** Whether the previous line is blank or missing, and whether this is the first line. */
  blank: boolean;
  first: boolean;
  /** Whether a line of punctuation would open a listing, not underline the previous line. */
  ruled: boolean;
  /** Code indentation of the previous non-blank line, 0 if it isn't code; and whether it introduces code. */
  code: number;
  leads: boolean;
  /** The column where the content of the open list item starts, 0 if none is open. */
  item: number;
  /** Whether only white space followed a call, a marker or reasoning. */
  fresh: boolean;
  /** Whether there was a call before. */
  called: boolean;
  /** The last character, and the last that isn't white space. */
  last: string;
  lastSolid: string;
  /** The last characters since a call, a marker or reasoning. */
  tail: string;
  /** The current and the previous word, if they are short. */
  word: string;
  before: string;
  fence: { readonly mark: string; readonly language: string; readonly indent: number } | undefined;
  /** Number of nested fences in a Markdown fence. */
  inner: number;
  /** Length of the current run of backticks, and of the one that opened inline code. */
  run: number;
  ticks: number;
  /** Open quotes: straight ones in the line, triple ones anywhere, or a typographic one; and those of earlier paragraphs. */
  straight: boolean;
  apostrophe: boolean;
  quotes: number;
  triple: string;
  curly: string;
  spans: string;
  /** Closers of the open straight quotes and brackets, in this line or an earlier one. */
  awaited: string;
  /** Whether a comment that started a line is open, and the number of dashes just read. */
  comment: boolean;
  dashes: number;
  /** Number of open brackets and braces. */
  depth: number;
  /** The current tag, and whether it started the line. */
  tag: string | undefined;
  /** The name of a tag that an earlier line of the paragraph began. */
  spread: string;
  leadsLine: boolean;
  /** Whether the line has more than tags, since an end token if it has one. */
  wordy: boolean;
  /** The open reasoning block or turn of another role; and whether the model invented results. */
  results: string;
  resulted: boolean;
  /** Whether the turn of another role was written, in the tokens of a chat template. */
  otherRole: boolean;
  /**
   * Where a turn without tokens is: a header was the last line, certainly or possibly, or its words followed; and whether
   * the last line ended a sentence.
   */
  heading: 'none' | 'sure' | 'named' | 'spoken';
  ended: boolean;
  /** The closer of such a block that one word in this line opened. */
  lineBlock: string;
  /** What follows a token that opens a turn, up to its role; and whether that token is part of no sentence. */
  turn: string | undefined;
  startsTurn: boolean;
  /** A word in brackets, as far as it was read. */
  mark: string | undefined;
  /** Closers of other open blocks: elements, comments, listings. */
  open: readonly string[];
  /** Whether the previous line introduces literal text, if it is indented. */
  literal: boolean;
  /** Whether the previous line is a blockquote, so that this line continues it. */
  lazy: boolean;
  /** What this means for calls here; computed on first use. */
  shown: Shown | undefined;
  /** Whether another turn was written, as in a transcript, or a document started with its declaration. */
  transcript: boolean;
  /** Whether the last line with the label of a speaker is that of someone who talks to an assistant. */
  partner: boolean;
  /** Whether a labelled final answer started, which is content, or a labelled result that the model made up. */
  answered: boolean;
  document: boolean;
  /** Tags that open sections of calls, with their closing tags; tags of headers have none. */
  readonly sections: ReadonlyMap<string, string>;
  /** The closer of a section whose opener was treated as text, and whether its content hasn't started. */
  section: string | undefined;
  opened: boolean;
  /**
   * Whether such a section is text because of what precedes it: inside it, and directly after it, where further calls
   * are text too.
   */
  shows: 'none' | 'in' | 'behind';
  /** Whether the last line with text asks something, and whether a call was written while a question was open. */
  askedBefore: boolean;
  unanswered: boolean;
  /** Whether a frame header that was treated as text starts in this line. */
  header: boolean;
  /** Whether an unclosed opener was treated as text: directly after it, then in the line of its content. */
  token: 'none' | 'behind' | 'line';
}

export const newPlace = (sections: ReadonlyMap<string, string> = new Map()): Place => ({
  line: '',
  lineEnd: '',
  lineBefore: '',
  pairs: 0,
  solid: false,
  blank: true,
  first: true,
  ruled: true,
  code: 0,
  leads: false,
  item: 0,
  fresh: true,
  called: false,
  last: '\n',
  lastSolid: '',
  tail: '',
  word: '',
  before: '',
  fence: undefined,
  inner: 0,
  run: 0,
  ticks: 0,
  straight: false,
  apostrophe: false,
  quotes: 0,
  triple: '',
  curly: '',
  spans: '',
  awaited: '',
  comment: false,
  dashes: 0,
  depth: 0,
  tag: undefined,
  spread: '',
  leadsLine: false,
  wordy: false,
  results: '',
  resulted: false,
  otherRole: false,
  heading: 'none',
  ended: true,
  lineBlock: '',
  turn: undefined,
  startsTurn: false,
  mark: undefined,
  ...noQuestion,
  askedBefore: false,
  unanswered: false,
  open: [],
  literal: false,
  lazy: false,
  shown: undefined,
  transcript: false,
  partner: false,
  answered: false,
  document: false,
  sections,
  section: undefined,
  opened: false,
  shows: 'none' as const,
  header: false,
  token: 'none' as const,
});

/** Opening quotes that others than their mirror image may close: in some languages both are the same, or reversed. */
const quotePairs: Readonly<Record<string, string>> = {
  '“': '”',
  '”': '”',
  '„': '“”',
  '«': '»',
  '»': '«»',
  '‘': '’',
  '‚': '‘’',
  '‹': '›',
  '›': '‹›',
  '〝': '〞〟',
};
/** Brackets that may contain any part of a sentence are tracked like those of ASCII. */
const plainBrackets = new Set([...'（［｛']);
const openingMark = /[\p{Ps}\p{Pi}❛❝]/u;
const closingMark = /[\p{Pe}\p{Pf}❜❞]/u;
const knownQuotes = new Map(Object.entries(quotePairs));

/** What can close a quote or bracket that isn't ASCII; nothing if the character opens none. */
export function quoteClosers(char: string): string {
  const known = knownQuotes.get(char);
  if (known !== undefined) return known;
  // Unicode has the closing mark next to the opening one.
  const next = String.fromCodePoint((char.codePointAt(0) ?? 0) + 1);
  const closers = openingMark.test(char) && !plainBrackets.has(char) && closingMark.test(next) ? next : '';
  if (knownQuotes.size < mostQuotes) knownQuotes.set(char, closers);
  return closers;
}
const mostQuotes = 4096;

/** A blockquote, also in list items, and other signs before quoted lines: bars, Textile, Org, prompts, comments. */
export const quotedLine = /\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+){0,9}(?:[>＞│┃▌▍▎▏❯]|(?:bq\.|:|%%|REM)\s)/y;

/** Normalizes the characters of a tag. */
export const plainTag = (tag: string): string =>
  wideSigns.test(tag) ? tag.replaceAll('｜', '|').replaceAll('▁', '_') : tag;
const wideSigns = /[｜▁]/;

/** Stands for the closer of openers without one. */
export const unclosed = '-';

/** The width of white space. */
export const widthOf = (space: string): number => (space === '' ? 0 : space.replaceAll('\t', '    ').length);

/** The indentation of a line, up to a limit. */
function indentOf(line: string): number {
  let width = 0;
  for (let at = 0; at < 99 && at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) break;
    width += code === 9 ? 4 : 1;
  }
  return width;
}

/** Indentation of the line if it makes it code: after a blank line, a colon or other code. */
export function indentOfCode({ line, blank, leads, code }: Place): number {
  const width = indentOf(line);
  return blank || leads || (code > 0 && width >= code) ? width : 0;
}

/** The marker of a list item, with the white space around it. */
const itemMarker = /[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/y;

/** The column where the content of a list item starts that this line opens, continues or ends. */
export function itemAfter({ line, item, blank }: Place): number {
  const width = indentOf(line);
  if (begins(itemMarker, line) && width < item + 4) return widthOf(line.slice(0, itemMarker.lastIndex));
  return blank && width < item ? width : item;
}

/** Whether words in this line are part of an indented code block, and not the continuation of a list item. */
export const isWordsOfCode = (p: Place): boolean => p.solid && indentOfCode(p) >= p.item + 4;

const indented = / {4}| {0,3}\t/y;

/** Whether the line, or the complete message, is indented like code. */
export const isIndented = (p: Place): boolean => !p.solid && begins(indented, p.line);

/** Whether a text starts with a match of a sticky pattern. */
export function begins(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

export const isSpace = (char: string): boolean => char <= ' ';

/** The same text, whose pieces the engine no longer keeps: matching a pattern joins them. */
export function joined(text: string): string {
  anything.test(text);
  return text;
}

const longestTail = 1024;
const anything = /^/;

/**
 * Collects text from small pieces. They are joined from time to time, because the engine keeps each concatenation in memory
 * until the text is read.
 */
export class TextBuilder {
  #text = '';
  #tail = '';

  constructor(text = '') {
    this.#text = text;
  }

  add(piece: string): void {
    this.#tail += piece;
    if (this.#tail.length < longestTail) return;
    this.#text += joined(this.#tail);
    this.#tail = '';
  }

  get length(): number {
    return this.#text.length + this.#tail.length;
  }

  get text(): string {
    return this.#text + this.#tail;
  }

  /** Returns the text and starts again. */
  take(): string {
    const { text } = this;
    this.#text = '';
    this.#tail = '';
    return text;
  }
}

/** How much of the start of a line is kept. */
export const lineLength = 120;

/** Characters that end a sentence. */
export const sentenceEnds: ReadonlySet<string> = new Set([...'.!?…。！？']);
