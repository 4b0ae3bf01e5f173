import type { Certainty, RepairKind } from '../repair.ts';
import { isRounded, type JsonValue, writesFraction } from '../value.ts';

/** A scalar without quotes, and how it was written if not as in JSON. */
export interface Scalar {
  readonly value: JsonValue;
  /** The repair for reading it; missing for plain JSON. */
  readonly repair?: RepairKind;
  /** Whether a number can't represent it, such as a large integer. `value` is its literal text. */
  readonly unsafe?: true;
  /** Whether it has leading zeros. `value` is its literal text, because it may be text. */
  readonly zeros?: true;
  /** Whether it has a plus sign, underscores or another base, so that it may also be text. */
  readonly other?: true;
  /** Whether it is a decimal whose value looks like an integer, beyond 2^53 or because it is rounded. */
  readonly fraction?: true;
  /** Whether more digits may follow. */
  readonly number?: true;
}

/** Literals of Python and JavaScript. */
const literals: Readonly<Record<string, JsonValue>> = {
  True: true,
  False: false,
  TRUE: true,
  FALSE: false,
  None: null,
  NULL: null,
  Null: null,
  undefined: null,
  NaN: 'NaN',
  Infinity: 'Infinity',
  '-Infinity': '-Infinity',
};

const strictNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const looseNumber = /^[+-]?(?:\d+\.?\d*|\d{1,3}(?:_\d{3})+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Digits with underscores that don't group them by thousands: a range or an id (`1861_1865`), or a number of Python. */
export const otherGroups: RegExp = /^[+-]?(?!\d{1,3}(?:_\d{3})+(?!\w))\d+(?:_\d+)+(?:\.\d*)?$/;
const otherBase = /^([+-]?)(0(?:[xX](?:_?[\da-fA-F])+|[bB](?:_?[01])+|[oO](?:_?[0-7])+))$/;

/** Reads a bare word as a literal or number of JSON, Python or JavaScript; undefined if it is text. */
export function readScalar(text: string): Scalar | undefined {
  if (/^(?:true|false|null)$/.test(text)) return { value: JSON.parse(text) };
  if (Object.hasOwn(literals, text)) return { value: literals[text] as JsonValue, repair: 'literal' };
  if (strictNumber.test(text)) return sized(Number(text), text, {});
  if (/^[+-]?0[\d_]/.test(text) && looseNumber.test(text))
    return { value: text, repair: 'quote', unsafe: true, zeros: true, number: true };
  if (looseNumber.test(text))
    return sized(Number(text.replaceAll('_', '')), text, /^\+|_/.test(text) ? inWords : { repair: 'number' });
  if (otherGroups.test(text)) return { ...inWords, value: text, unsafe: true, number: true };
  const based = otherBase.exec(text);
  if (!based) return undefined;
  const size = Number(based[2]?.replaceAll('_', ''));
  return sized(based[1] === '-' ? -size : size, text, inWords);
}

/** A number that JSON doesn't write so is text where the schema says so. */
export const certaintyOf = ({ repair }: Scalar): Certainty => (repair === 'literal' ? 'lossless' : 'inferred');

const inWords = { repair: 'number', other: true } as const;

function sized(value: number, literal: string, written: Pick<Scalar, 'repair' | 'other'>): Scalar {
  if (!Number.isFinite(value) || isRounded(value, literal)) {
    if (/^[\d_+-]+\.\d*[1-9]\d*$/.test(literal)) return { ...written, value, fraction: true, number: true };
    return { ...written, value: literal, unsafe: true, number: true };
  }
  const isHidden = Number.isInteger(value) && writesFraction(literal);
  return { ...written, value, ...(isHidden && { fraction: true }), number: true };
}
