import type { Problem } from '../../json/problem.ts';
import type { Marks } from '../../json/reading.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { readPythonBracket } from './brackets.ts';
import type { Expression, Inferred } from './state.ts';
import { wordAt } from './tokens.ts';

/** A Python call. Nested calls and expressions are kept as text. */
export interface PythonCall {
  /** As written, with `\_` read as `_`. */
  readonly name: string;
  readonly positional: JsonValue[];
  readonly named: JsonObject;
  /** From its name to after its closing bracket. */
  readonly start: number;
  readonly end: number;
  /** False if it was truncated. A call that only lacks closers is complete. */
  readonly whole: boolean;
  /** Whether the closing bracket was written. */
  readonly closed: boolean;
  /** Whether the text ends inside one of its strings. */
  readonly openString: boolean;
  /** Arguments that are a bare word: `f(city)` names a parameter rather than calls. */
  readonly bare: readonly string[];
  /** How numbers were written, by container and key. */
  readonly marks: Marks;
  /** Duplicate keys with different values, and forbidden keys. */
  readonly problems: readonly Problem[];
  /** Arguments that aren't literals, and what was inferred in others. */
  readonly expressions: readonly Expression[];
  readonly inferred: readonly Inferred[];
}

export interface PythonReading {
  readonly calls: PythonCall[];
  /** Where the calls end, and the text after them. */
  readonly end: number;
  readonly rest: string;
}

const between = /(?:[\s,;[\]]|\\\[|\\\]|#[^\n]*)*/uy;
/** The name for a result. `await` without one makes an expression of a list. */
const assigned =
  /[\p{L}_][\p{L}\p{N}_]{0,63}(?:\s{0,8}:\s{0,8}[\p{L}_][\p{L}\p{N}_[\]., ]{0,63})?\s{0,8}=\s{0,8}(?:await\s{1,8})?(?=[\p{L}_])/uy;
/** The name can be in quotes or emphasis marks before the bracket. */
const opener = /['"`*]{0,3}\s{0,64}\(/y;
const quote = /['"`*]{1,3}(?=[\p{L}_][\p{L}\p{N}_.\\-]{0,200}['"`*]{1,3}\s{0,64}\()/uy;

/** Reads the call at `at`; undefined if there is none. */
export function readPythonCall(text: string, at: number): PythonCall | undefined {
  const found = wordAt(text, at);
  if (!found) return undefined;
  opener.lastIndex = found.end;
  if (!opener.test(text)) return undefined;
  const bracket = readPythonBracket(text, opener.lastIndex - 1, found.word);
  const { closable, value: _, ...rest } = bracket;
  return { ...rest, name: found.word, start: at, whole: rest.closed || closable };
}

/**
 * Reads calls from the start of a text: one, or several in a list or in a row, separated by commas, semicolons, line
 * breaks or comments. A variable for the result is skipped. Stops at the first thing that isn't a call.
 *
 * @example
 * readPythonCalls("[get_weather(city='Paris'), get_time()]").calls[0]?.named // { city: 'Paris' }
 */
export function readPythonCalls(text: string): PythonReading {
  const calls: PythonCall[] = [];
  let end = 0;
  for (;;) {
    const at = skip(quote, text, skip(between, text, skip(assigned, text, skip(between, text, end))));
    const call = readPythonCall(text, at);
    if (!call) break;
    calls.push(call);
    end = call.end;
  }
  end = skip(between, text, end);
  return { calls, end, rest: text.slice(end) };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** `f(city: "Oslo")` is syntax of other languages, whose code is shown. */
export const isColon = ({ kind }: PythonCall['inferred'][number]): boolean => kind === 'colon';
