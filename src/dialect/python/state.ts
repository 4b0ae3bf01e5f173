import type { Problem } from '../../json/problem.ts';
import { Marks } from '../../json/reading.ts';
import type { RepairKind } from '../../json/repair.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';

/** One operand of an expression: a literal with its value, a bare word, or something that is only known as text. */
export type Term =
  | { readonly kind: 'literal'; readonly value: JsonValue; readonly unsafe?: true }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'text' };

/** What stands between two commas. */
export interface Item {
  from: number;
  /** Just past the last token. */
  end: number;
  /** Operands, and operators as text, in the order they were written. */
  readonly parts: (Term | string)[];
  /** It is nothing this reader can work out, and stays as it was written. */
  text: boolean;
  /** Inside the parameters of a `lambda`, where a comma ends nothing. */
  lambda: boolean;
  /** Strings that were joined, or completed where quotes were not escaped. */
  joined?: RepairKind;
  /** Why one of its strings has two readings. */
  fault?: string;
}

/** An open bracket: a list, a dict or set, a tuple, or the arguments of a call. */
export interface Frame {
  readonly closer: ')' | ']' | '}';
  /** Where it begins, its name included. */
  readonly start: number;
  /** The name before the bracket; undefined for a plain bracket. */
  readonly name: string | undefined;
  readonly positional: JsonValue[];
  readonly named: JsonObject;
  /** The key of the item that is being read. */
  key: string | undefined;
  commas: number;
  /** It holds a comprehension, a slice or the like, and stays as it was written. */
  text: boolean;
  item: Item;
  /** Arguments that are a bare word, by the word: `f(city)` names its parameter and calls nothing. */
  readonly bare: string[];
}

/** The reader's state: plain data that `readPythonBracket` moves along. */
export interface Machine {
  readonly text: string;
  at: number;
  /** `\_` for `_` was met, so that what is kept as text must be looked through for it. */
  escaped: boolean;
  readonly stack: Frame[];
  readonly open: Record<Frame['closer'], number>;
  /** Brackets past the depth limit, which are counted and not held. */
  deeper: number;
  readonly marks: Marks;
  readonly problems: Problem[];
  /** The text ended inside a string. */
  openString: boolean;
  /** The last token is complete: a closing quote or bracket, not a comma, a number or a word that could go on. */
  settled: boolean;
  /** What stands in a call's arguments and is no literal. */
  readonly expressions: Expression[];
  /** What was inferred in a call's arguments. */
  readonly inferred: Inferred[];
}

/** The argument it stands in, by its name or its place. */
type Argument = string | number;

/** Something that would have to be worked out: a name, a call, an operator. */
export interface Expression {
  readonly key: Argument;
  readonly text: string;
  /** What is wrong with it, where it is a value that has two readings. */
  readonly fault?: string;
  /** The name that it is, and nothing else. */
  readonly word?: string;
}

/** A value that was worked out or completed. */
export interface Inferred {
  readonly key: Argument;
  readonly kind: RepairKind;
  readonly before: string;
}

/** The argument of the outermost call that is being read; undefined outside calls. */
export function argumentAt({ stack: [base] }: Machine, frame: Frame, key: string | undefined): Argument | undefined {
  if (base?.name === undefined) return undefined;
  return (frame === base ? key : base.key) ?? base.positional.length;
}

export const closers = { '(': ')', '[': ']', '{': '}' } as const;

export const newItem = (from: number): Item => ({
  from,
  end: from,
  parts: [],
  text: false,
  lambda: false,
});

export const newMachine = (text: string, at: number): Machine => ({
  text,
  at,
  escaped: false,
  stack: [],
  open: { ')': 0, ']': 0, '}': 0 },
  deeper: 0,
  marks: new Marks(),
  problems: [],
  openString: false,
  settled: false,
  expressions: [],
  inferred: [],
});
