import type { Problem } from '../../json/problem.ts';
import type { Marks } from '../../json/reading.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { readPythonBracket } from './brackets.ts';
import type { Expression, Inferred } from './state.ts';
import { wordAt } from './tokens.ts';

/** A call written in Python. Nested calls and expressions are kept as the text they were written as. */
export interface PythonCall {
  /** As written, `\_` read as `_`. */
  readonly name: string;
  readonly positional: JsonValue[];
  readonly named: JsonObject;
  /** Where it stands in the text: from its name to just past its closing bracket. */
  readonly start: number;
  readonly end: number;
  /** False where it was cut off; a call that lacks only closers is whole. */
  readonly whole: boolean;
  /** The closing bracket was there. */
  readonly closed: boolean;
  /** The text ends inside one of its strings. */
  readonly openString: boolean;
  /** Arguments that are a bare word: `f(city)` rather names a parameter than calls. */
  readonly bare: readonly string[];
  /** How numbers were written, by container and key. */
  readonly marks: Marks;
  /** Keys given twice with two values, and keys that are forbidden. */
  readonly problems: readonly Problem[];
  /** Arguments that are no literals, and what was inferred in others. */
  readonly expressions: readonly Expression[];
  readonly inferred: readonly Inferred[];
}

export interface PythonReading {
  readonly calls: PythonCall[];
  /** Where the calls end and what comes after them, from there on. */
  readonly end: number;
  readonly rest: string;
}

const between = /(?:[\s,;[\]]|\\\[|\\\]|#[^\n]*|await\s(?=\s*[\p{L}_]))*/uy;
const assigned =
  /[\p{L}_][\p{L}\p{N}_]{0,63}(?:\s{0,8}:\s{0,8}[\p{L}_][\p{L}\p{N}_[\]., ]{0,63})?\s{0,8}=\s{0,8}(?=[\p{L}_])/uy;
/** A name may stand in quotes or marks of its own before the bracket. */
const opener = /['"`*]{0,3}\s{0,64}\(/y;
const quote = /['"`*]{1,3}(?=[\p{L}_][\p{L}\p{N}_.\\-]{0,200}['"`*]{1,3}\s{0,64}\()/uy;

/** Reads the call that begins exactly at `at`; undefined where none does. */
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
 * Reads calls from the beginning of a text: one, or several in a list or behind each other, with commas, semicolons,
 * line breaks or comments between; a variable that takes the result is passed over. It stops at the first thing that
 * is no call.
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

/** `f(city: "Oslo")` is written in other languages, whose code is shown. */
export const isColon = ({ kind }: PythonCall['inferred'][number]): boolean => kind === 'colon';
