import type { JsonValue } from '../json/value.ts';
import type { Outcome } from '../mend/outcome.ts';

/** Calls written as text: a table of dialects, one streaming reader for all of them, and a writer. */

/** Groups of dialects: JSON, a name and JSON, a name and tags, frames, Python, or labelled lines. */
type Group = 'A' | 'B' | 'C' | 'D' | 'E' | 'F';

/** What is between a call's opener and its closer. */
type Body = 'call' | 'args' | 'params' | 'python' | 'word';

/** One form of a dialect's calls. */
export interface CallForm {
  /**
   * The template before the body: literal text with the holes `{name}`, `{id}`, `{n}`, `{sfx}`, and `~` for any white
   * space.
   */
  readonly open: string;
  readonly body: Body;
  /** What the opener lacks, so that its calls are inferred. */
  readonly lacks?: string;
  /** Templates that can end the call; none if the body ends by itself. The first is used for writing. */
  readonly close?: readonly string[];
  /** Whether its models also end calls without a closer, so that a missing one isn't a fault. */
  readonly closeOptional?: boolean;
  /** For `params`: the template of a parameter, with `{key}`, `{value}` and optionally `{type}`. */
  readonly param?: string;
  /** The tool that the opener implies, and the parameter for the complete body. */
  readonly calls?: readonly [name: string, key: string];
  /**
   * What must follow the opener.
   * @default the possible starts of the body
   */
  readonly next?: readonly string[];
  /** Only valid after nothing but white space and reasoning. */
  readonly start?: boolean;
  /**
   * Whether no marker distinguishes it from prose. It then requires a name in the toolbox, and is text if it isn't a
   * call.
   */
  readonly bare?: boolean;
  /** Whether prose also uses it as a name, so that code formatting makes it text. */
  readonly code?: boolean;
  /** Whether text for the user follows instead of a call. */
  readonly text?: boolean;
  /** Whether its body is only one call. */
  readonly single?: boolean;
  /** Whether its body may be several calls after one another. In other forms they are a list, or each has its markers. */
  readonly lines?: boolean;
  /** Only for reading. */
  readonly readOnly?: boolean;
  /**
   * Whether its markers are special tokens.
   * @default the value of the dialect
   */
  readonly special?: boolean;
}

/** Framed messages, each with a header that names the recipient. */
export interface Frame {
  /** Markers that start a header. */
  readonly open: readonly string[];
  /** Ends the header. */
  readonly message: string;
  /** End a message. */
  readonly end: readonly string[];
  /** Words in the header that mark reasoning, or text for the user. Any other `to=` is a tool. */
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  /** What a message to a tool contains: arguments for that tool, or calls in the dialect's forms. */
  readonly tool: 'args' | 'forms';
  /** Whether a header only counts after the end of a message. */
  readonly strict?: boolean;
  /** Template for writing a call's frame, with `{name}` and `{args}`. */
  readonly write: string;
}

/** A dialect. Its examples, which are its tests, are next to the tests. */
export interface Dialect {
  readonly name: string;
  readonly group: Group;
  /** The models that use it. */
  readonly families: string;
  readonly forms: readonly CallForm[];
  /** Whether its markers are special tokens, which don't occur by accident. */
  readonly special?: boolean;
  /** Languages of code fences in which its calls are calls, not examples. */
  readonly fences?: readonly string[];
  /** Markers around calls: opener and closer. */
  readonly sections?: readonly (readonly [string, string])[];
  /** Reasoning blocks: opener and closers. `^` before an opener means only at the start. */
  readonly think?: readonly (readonly [string, ...string[]])[];
  /** Markers without a meaning, which are removed. */
  readonly drop?: readonly string[];
  /** Markers within responses and calls that frame none. They are ordinary words if the dialect isn't named. */
  readonly inner?: readonly string[];
  readonly frame?: Frame;
  /** Whether a call's opener ends a reasoning block, because the models omit its closer. */
  readonly callEndsThink?: boolean;
  /** Whether calls are `{"NAME": {arguments}}`. */
  readonly keyed?: boolean;
  /**
   * The keys for name and arguments when writing.
   * @default ['name', 'arguments']
   */
  readonly keys?: readonly [string, string];
  /** Whether several calls are written as a JSON list. */
  readonly list?: boolean;
  /** What stands for a quote. */
  readonly quote?: string;
  /** Text before a name that isn't part of it. */
  readonly prefix?: string;
  /** Text after a name that isn't part of it. */
  readonly suffix?: string;
  /** Whether names include the number of the call, as in `name:0`. */
  readonly numbered?: boolean;
  /** Whether names are written twice, as in `name.name`. */
  readonly doubled?: boolean;
  /**
   * How white space around a tagged value is handled: kept, or one line break removed on each side. `inline` if values
   * are usually written without.
   */
  readonly trim?: 'none' | 'newline' | 'inline';
  /** Prefix of nested tags in values. */
  readonly nested?: string;
  /** Whether values may be CDATA sections. In other dialects, a section is part of the value. */
  readonly cdata?: boolean;
  /** Whether attributes and values use entities. */
  readonly entities?: boolean;
  /** Template of a result, with `{name}`, `{id}` and `{result}`. */
  readonly result?: string;
  /** Excluded from `auto`, because another dialect reads the same. */
  readonly manual?: boolean;
  /** Texts in a chat template that only this dialect has. */
  readonly hints?: readonly string[];
}

/** Events of a reader, in text order. */
export type CallEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.started'; readonly id: string; readonly name: string }
  | {
      readonly type: 'call.delta';
      readonly id: string;
      /** The new text of the arguments, as written. */
      readonly delta: string;
      /** The arguments so far. Only what is new is parsed. */
      readonly value: JsonValue | undefined;
    }
  | { readonly type: 'call.finished'; readonly id: string; readonly outcome: Outcome };

/** A call to write. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
}
