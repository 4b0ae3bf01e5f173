import type { Limits } from '../limits.ts';
import type { Problem } from '../problem.ts';
import type { Mark, Marks } from '../reading.ts';
import type { Repair } from '../repair.ts';
import type { JsonObject, JsonValue, Path } from '../value.ts';

/** What is expected next: a structural token, the rest of an open token, or text outside of any value. */
export type Mode = 'top' | 'key' | 'colon' | 'value' | 'after' | 'string' | 'triple' | 'bare' | 'done';

/** An open object or list. */
export interface Frame {
  readonly list: boolean;
  readonly closer: string;
  readonly closerCode: number;
  readonly value: JsonObject | JsonValue[];
  /** The key whose value is being read, or the index in a list. */
  key: string | number | undefined;
  /** Whether a comma follows the last value, or a semicolon as one. */
  comma: boolean | ';';
  /** Number of semicolons used as commas, also between members. */
  semicolons: number;
  /** Quote styles of its items (`mixStyles`). */
  styles: number;
  /** Whether the current scalar may be part of a text: it follows a number on its line, or precedes a comment. */
  gap: boolean;
  /** Whether the current number may have a decimal comma, together with the previous one. */
  decimal: boolean;
  /** The first value of a duplicate key. */
  earlier?: JsonValue | undefined;
  mark?: Mark | undefined;
  repeated?: boolean;
  /** Whether it holds adjacent strings in parentheses, or in an object its current value, which were joined. */
  pieces?: boolean;
  /** The items of a list that are words without quotes. */
  words?: Set<number>;
}

/** How the escapes of a string were written. `escapeFault` decides whether they follow one rule. */
export interface Escapes {
  /** The first escape of JSON other than a quote, as written. */
  valid: string;
  /** One of them that may also be part of a regular expression. */
  code?: string;
  /** The first escape that JSON doesn't have, by treatment: kept, an underscore, a habit of code, joined lines, refused. */
  unknown?: string;
  /** One that a pattern needs, and that Markdown and shells have in ordinary text and in paths. */
  sign?: string;
  underscore?: string;
  habitual?: string;
  joined?: string;
  broken?: string;
  /** The first escape that is always ambiguous: in triple quotes, or of a curly quote. */
  ambiguous?: string;
  /** Number of escaped quotes, and of those with two superfluous backslashes. */
  quotes: number;
  overEscaped: number;
  /** Whether an escaped quote is the string's own, or between unescaped quotes. */
  nested?: boolean;
  /** Whether a control character isn't escaped, or a quote of its delimiter. */
  raw: boolean;
  loose?: boolean;
  /** Where the last escaped backslash ends. */
  slashEnd: number;
}

/** The open string. */
export interface OpenString {
  readonly quote: string;
  readonly close: string;
  readonly isKey: boolean;
  /** Whether it is in three quotes, or in a list. */
  readonly triple: boolean;
  readonly inList: boolean;
  /** The text without `parts`. Small pieces are collected and joined, because appending each would be slow. */
  text: string;
  parts: string[];
  /** Number of parts that were reported as a change. */
  reported: number;
  /** The last character, stored because reading it from `text` costs its length. */
  last?: string | undefined;
  /** The last characters of `text`. */
  tail?: string;
  /** Unescaped quotes inside: how many, whether they pair up so far, and whether the first may open. */
  readonly inner: { count: number; paired: boolean; opens: boolean };
  readonly escapes: Escapes;
  /** Whether a comment after it may be its text. */
  commented?: boolean;
  /** Whether it was written in pieces. */
  pieces?: '' | 'sure' | 'beside' | 'doubted';
}

/** A word without quotes: a number, a literal, or text. */
export interface Word {
  /** Its start, if that was removed from the text, where the rest starts, and how far it was scanned. */
  pending: string;
  from: number;
  scanned: number;
  /** The closing brackets that its open brackets require. */
  open: string;
  /** Whether it contains a comma that doesn't end it. */
  comma: boolean;
  /** Whether more than a blank separates it from the colon. */
  readonly apart: boolean;
}

/** The current key. */
export interface KeyPlace {
  /** Where it starts if that text is still available, otherwise whether it starts a line. */
  at: number;
  fresh?: boolean;
  /** Whether it may be part of the text without quotes before it: it starts a line, without a comma before it. */
  doubted?: boolean | undefined;
  /** Where its colon ended, and where the last one ended that was an equals sign. */
  colonEnd: number;
  equalsEnd?: number;
}

/** How keys and strings are quoted. */
export interface Quotes {
  /** Quote styles other than JSON's that were recorded. Each is one repair, at its first occurrence. */
  styles: string;
  /** Whether a key or word is written in a way that Python never uses. */
  notPython?: boolean;
  /** Whether a key or string has quotes that Python or JavaScript, with single quotes elsewhere, wouldn't have. */
  notProgram?: boolean;
  /** Whether values have quotes where the notation is known to need them. A word without them may be a literal. */
  readonly values: { quoted: boolean };
  /** Number of strings with typographic quotes, and the quotes that close them; negative if these differ. */
  curly: number;
  closer: string;
  /** Whether a string with unescaped quotes closed at the very end, so that it may still be open. */
  atEnd?: boolean;
  /** Whether a string was ended because its closing quote seemed missing. A superfluous one later contradicts that. */
  missing?: boolean;
}

/** What the escapes of a string mean for the others. */
export interface TextEscapes {
  /** The first escape that JSON doesn't have. */
  unknown?: string | undefined;
  /** Whether a string has line breaks or quotes that aren't escaped. */
  missing?: boolean | undefined;
  /** Whether a string without other escapes has an escaped quote of its own kind, such as `\'`. */
  nested?: boolean | undefined;
  /** The strings with escapes. */
  readonly strings: [path: Path, text: string, code?: string | undefined][];
  /** The first escape that only Python has (`\\x41`). */
  hex?: Problem;
  /** The first escape that Python has and others keep as text (`\\a`, `\\101`). */
  python?: Problem;
  /** The first JSON escape beside a plain `"` in other quotes: an escape only in text that is a program's throughout. */
  program?: Problem | undefined;
}

/** Text that is escaped once too often, and goes through `unescapeOnce` first. */
export interface Encoded {
  /** An escape that may be incomplete. */
  pending: string;
  /** Whether its end is inside a string, and the other quote around it. */
  inString: boolean;
  otherQuote?: string | undefined;
}

/** A root value with its repairs and problems. */
export interface Candidate {
  readonly value: JsonValue;
  readonly repairs: Repair[];
  readonly problems: Problem[];
  /** Problems that only count if the text isn't plain JSON. */
  readonly doubts: Problem[];
  /**
   * What was inferred: which object a key belongs to, because of a missing or superfluous bracket; or that it is a key.
   */
  nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  readonly root: 'object' | 'list' | 'string';
  /** The text up to the next value, in pieces. */
  readonly after: string[];
}

/** A change made by a chunk. */
export type Change =
  | { readonly type: 'open'; readonly path: Path; readonly value: JsonObject | JsonValue[] }
  | { readonly type: 'append'; readonly path: Path; readonly text: string }
  | { readonly type: 'set'; readonly path: Path; readonly value: JsonValue }
  | { readonly type: 'close'; readonly path: Path }
  /** What was read so far is not part of the value, which is yet to come. At the end of a stream: there is none. */
  | { readonly type: 'reset'; readonly path: Path };

/** The complete state of a reading, as plain data for the step functions. */
export interface Machine {
  /** Text from `text[at]` on is unread; what precedes it can be removed. */
  text: string;
  at: number;
  /** Number of characters removed before `text[0]`. */
  offset: number;
  ended: boolean;
  mode: Mode;
  readonly stack: Frame[];
  string?: OpenString | undefined;
  word: Word;
  readonly key: KeyPlace;
  comment?: { readonly block: boolean; head: string; readonly alone: boolean; last?: string } | undefined;
  current?: Candidate | undefined;
  readonly candidates: Candidate[];
  readonly outer: { repairs: Repair[]; problems: Problem[] };
  /** Text before the first value, in pieces. */
  readonly lead: string[];
  /** Whether there was only white space since the last value or the start. */
  blank: boolean;
  /** Whether a code fence is open outside of values. */
  fenced?: boolean;
  /** Whether an object was continued after its closing bracket. */
  reopened?: boolean;
  keys: number;
  readonly limits: Limits;
  marks?: Marks | undefined;
  /** Undefined if the complete text is available, so that nothing observes it while it streams. */
  readonly changes: Change[] | undefined;
  encoded?: Encoded;
  /** The closing tag of the open reasoning. */
  reasoning?: string | undefined;
  /** The problem that ended the reading, until the text after it arrives. */
  failed?:
    | { readonly problems: Problem[]; readonly index: number; readonly words: string; readonly at: number }
    | undefined;
  /** Whether a special token ended the text while a bracket was open; what follows is prose. */
  halted?: boolean;
  /** Whether the text before `text[0]` ended in a line break, ignoring blanks. */
  freshLine: boolean;

  // What was observed so far. One part of a text can make another ambiguous.

  /**
   * The last text without quotes, whether there was some that was more than unambiguous words, and whether a semicolon
   * followed one.
   */
  readonly unquoted: { last?: string; loose?: boolean; parted?: boolean };
  /** Separators of keys other than a comma: line breaks after text without quotes, semicolons. */
  separators: string;
  /** Whether a colon is missing somewhere. */
  colonMissing?: boolean;
  /**
   * Closing brackets removed as superfluous or taken as text without quotes, and added as missing. The same
   * kind can't be both.
   */
  readonly brackets: { removed: string; added: string };
  readonly quotes: Quotes;
  readonly escapes: TextEscapes;
}
