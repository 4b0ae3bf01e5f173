import type { JsonValue } from '../json/value.ts';
import type { Outcome } from '../mend/outcome.ts';

/**
 * Calls written as text: a table of dialects, one streaming reader for all of them, and the way back. May import
 * everything from `json/` to `call/`.
 */

/** What a dialect is made of: JSON, a name and JSON, a name and tags, frames, Python, or labelled lines. */
type Group = 'A' | 'B' | 'C' | 'D' | 'E' | 'F';

/** What stands between a call's opener and its closer. */
type Body = 'call' | 'args' | 'params' | 'python' | 'word';

/** One way a dialect writes a call. */
export interface CallForm {
  /** The template before the body: literal text with the holes `{name}`, `{id}`, `{n}`, `{sfx}` and `~` for any white space. */
  readonly open: string;
  readonly body: Body;
  /** Templates that may end the call; none where the body ends itself. The first is the one that is written. */
  readonly close?: readonly string[];
  /** For `params`: the template of one parameter, with `{key}`, `{value}` and, where it says so, `{type}`. */
  readonly param?: string;
  /** The tool that the opener itself names, and the parameter that all of the body is. */
  readonly calls?: readonly [name: string, key: string];
  /** What must follow the opener; the body's own beginnings where it is not said. */
  readonly next?: readonly string[];
  /** Taken only where nothing but white space and reasoning came before. */
  readonly start?: boolean;
  /** No marker tells it from prose: only for names in the toolbox, and given back as text where it is no call. */
  readonly bare?: boolean;
  /** Stands for its name in prose too, so that code marks before it make it text. */
  readonly code?: boolean;
  /** What follows is no call but text for the user. */
  readonly text?: boolean;
  /** Its body is one call, never several behind each other. */
  readonly single?: boolean;
  /** Only read, never written. */
  readonly readOnly?: boolean;
  /** Whether its markers are special tokens; what the row says where it is not said. */
  readonly special?: boolean;
}

/** Messages in frames, each with a header that says who it is for. */
export interface Frame {
  /** Markers that begin a header. */
  readonly open: readonly string[];
  /** Ends the header. */
  readonly message: string;
  /** End a message. */
  readonly end: readonly string[];
  /** Words of the header that make the message reasoning, or text for the user; any other `to=` is a tool. */
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  /** What a message to a tool holds: arguments for the tool it names, or calls in the row's forms. */
  readonly tool: 'args' | 'forms';
  /** A header counts only after a message's end. */
  readonly strict?: boolean;
  /** How a call's frame is written, with `{name}` and `{args}`. */
  readonly write: string;
}

/** A dialect is a row: what is written where. Its examples, which are its test, stand with the tests. */
export interface Dialect {
  readonly name: string;
  readonly group: Group;
  /** The models that write so. */
  readonly families: string;
  readonly forms: readonly CallForm[];
  /** Its markers are special tokens of a vocabulary, which nobody types by accident. */
  readonly special?: boolean;
  /** Languages of code fences in which its calls are calls and no examples. */
  readonly fences?: readonly string[];
  /** Markers around calls: opener and closer. */
  readonly sections?: readonly (readonly [string, string])[];
  /** Reasoning blocks: opener and closers; `^` before an opener: only at the start. */
  readonly think?: readonly (readonly [string, ...string[]])[];
  /** Markers that mean nothing and are left out. */
  readonly drop?: readonly string[];
  /** Those that stand within answers and calls, and frame none: words like others where the dialect is not named. */
  readonly inner?: readonly string[];
  readonly frame?: Frame;
  /** A call's opener ends a reasoning block, because the models leave its closer out. */
  readonly callEndsThink?: boolean;
  /** Calls are `{"NAME": {arguments}}`. */
  readonly keyed?: boolean;
  /** The keys that are written for name and arguments; `name` and `arguments` where it is not said. */
  readonly keys?: readonly [string, string];
  /** Several calls are written as a JSON list. */
  readonly list?: boolean;
  /** What stands for a quote. */
  readonly quote?: string;
  /** What stands before a name and is not part of it. */
  readonly prefix?: string;
  /** What stands after a name and is not part of it. */
  readonly suffix?: string;
  /** Names carry the number of the call, as in `name:0`. */
  readonly numbered?: boolean;
  /** Names are written twice, as in `name.name`. */
  readonly doubled?: boolean;
  /** How white space around a tagged value is read: kept, or one line break taken off each side. */
  readonly trim?: 'none' | 'newline';
  /** Values may hold tags of their own, as a tree. */
  readonly nested?: string;
  /** Attributes and values are written with entities. */
  readonly entities?: boolean;
  /** How a result is written, with `{name}`, `{id}` and `{result}`. */
  readonly result?: string;
  /** Not tried in `auto`: another row reads the same. */
  readonly manual?: boolean;
  /** Words of a chat template that only this dialect has. */
  readonly hints?: readonly string[];
}

/** What a reader says while a text comes, in the order of the text. */
export type CallEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.started'; readonly id: string; readonly name: string }
  | {
      readonly type: 'call.delta';
      readonly id: string;
      /** The arguments' text that came, as it was written. */
      readonly delta: string;
      /** The arguments so far; reading them costs what came since they were last read. */
      readonly value: JsonValue | undefined;
    }
  | { readonly type: 'call.finished'; readonly id: string; readonly outcome: Outcome };

/** A call to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
}
