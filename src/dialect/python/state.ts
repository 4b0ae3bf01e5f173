import type { Problem } from '../../json/problem.ts';
import { type Mark, Marks } from '../../json/reading.ts';
import type { RepairKind } from '../../json/repair.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';

/** An operand of an expression: a literal, a bare word, or text. */
export type Term =
  | {
      readonly kind: 'literal';
      readonly value: JsonValue;
      /** How a number or constant was written, if its value doesn't show it. */
      readonly mark?: Mark | undefined;
      /** Whether it is in parentheses. */
      readonly grouped?: true;
    }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'text' };

/** What is between two commas. */
export interface Item {
  from: number;
  /** Offset after the last token. */
  end: number;
  /** Operands, and operators as text, in the order written. */
  readonly parts: (Term | string)[];
  /** Whether it can't be evaluated here, and stays text. */
  text: boolean;
  /** Whether it is in the parameters of a `lambda`, where a comma ends nothing. */
  lambda: boolean;
  /** Whether strings were joined, or completed because of unescaped quotes. */
  joined?: RepairKind;
  /** Whether one of its strings contains a line break. */
  raw?: boolean;
  /** Why one of its strings is ambiguous. */
  fault?: string;
  /** Whether an unmatched closing bracket follows its last operand. */
  stray?: boolean;
}

/** An open bracket: a list, a dict or set, a tuple, or the arguments of a call. */
export interface Frame {
  readonly closer: ')' | ']' | '}';
  /** Its start, including the name. */
  readonly start: number;
  /** The name before the bracket; undefined for a plain bracket. */
  readonly name: string | undefined;
  readonly positional: JsonValue[];
  readonly named: JsonObject;
  /** The key of the current item. */
  key: string | undefined;
  commas: number;
  /** Whether it contains a comprehension, a slice or similar, and stays text. */
  text: boolean;
  item: Item;
  /** Keys given twice with different values. */
  readonly repeated: string[];
  /** How many numbers were computed before it. */
  readonly computed: number;
  /** Arguments that are a bare word: `f(city)` names its parameter and calls nothing. */
  readonly bare: string[];
  /** What follows its first key. */
  sign?: string;
  /** Whether it is no call, and has a key that is written like an argument of the outermost one. */
  holdsArgument?: boolean;
}

/** Where a list or dict is in the text, and the keys that it has twice with different values. */
export interface Source {
  readonly start: number;
  readonly end: number;
  readonly repeated: readonly string[];
  /** Which of the computed numbers it contains. */
  readonly computed: readonly [from: number, to: number];
}

export type Sources = Map<object, Source>;

/** Arithmetic in a list or dict, and its result. */
export interface Computed {
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

/** The reader's state, as plain data. */
export interface Machine {
  readonly text: string;
  at: number;
  /** Whether `\_` occurred, so that text must be searched for it. */
  escaped: boolean;
  readonly stack: Frame[];
  readonly open: Record<Frame['closer'], number>;
  /** Number of brackets beyond the depth limit, which are only counted. */
  deeper: number;
  readonly marks: Marks;
  readonly problems: Problem[];
  readonly sources: Sources;
  readonly computed: Computed[];
  /** Whether the text ended inside a string. */
  openString: boolean;
  /**
   * Whether the last token is complete: a closing quote or bracket, not a comma, a number or a word that may continue.
   */
  settled: boolean;
  /** Whether a closer closed other brackets, too. */
  forced: boolean;
  /** Arguments of a call that aren't literals. */
  readonly expressions: Expression[];
  /** What was inferred in a call's arguments. */
  readonly inferred: Inferred[];
  /** Comments outside of calls, with the keys of the dicts around them. */
  readonly comments: { readonly text: string; readonly within: readonly (string | undefined)[] }[];
}

/** An argument, by name or position. */
type Argument = string | number;

/** Something that would have to be evaluated: a name, a call, an operator. */
export interface Expression {
  readonly key: Argument;
  readonly text: string;
  /** What is wrong, if it is an ambiguous value. */
  readonly fault?: string;
  /** The name, if it is only a name. */
  readonly word?: string;
}

/** A value that was computed or completed. */
export interface Inferred {
  /** The argument; undefined before the first one. */
  readonly key: Argument | undefined;
  readonly kind: RepairKind;
  readonly before: string;
}

/** The current argument of the outermost call; undefined outside calls. */
export function argumentAt({ stack: [base] }: Machine, frame: Frame, key: string | undefined): Argument | undefined {
  if (base?.name === undefined) return undefined;
  return (frame === base ? key : base.key) ?? base.positional.length;
}

/** The argument of the outermost call that was read last. */
export function lastArgument({ stack: [base] }: Machine): Argument | undefined {
  if (base?.name === undefined) return undefined;
  const named = Object.keys(base.named).at(-1);
  return base.key ?? named ?? (base.positional.length > 0 ? base.positional.length - 1 : undefined);
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
  sources: new Map(),
  computed: [],
  openString: false,
  settled: false,
  forced: false,
  expressions: [],
  inferred: [],
  comments: [],
});
