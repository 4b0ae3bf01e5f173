/** Readings of a scalar as another type, by the type that is wanted; undefined where there is none. */

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** An integer written out, whose digits a number past 2^53 would not keep. */
const writtenOut = /^[+-]?[\d,]+\.?0*$/;
const grouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

/** A number from its text; `1,234` only where an integer is wanted. Never out of words, never rounded. */
export function toNumber(value: unknown, integer: boolean): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!plainNumber.test(text) && !(integer && grouped.test(text))) return undefined;
  const number = Number(text.replaceAll(',', ''));
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && writtenOut.test(text)) return undefined;
  return integer && !Number.isInteger(number) ? undefined : number;
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  false: false,
  no: false,
  '1': true,
  '0': false,
};

export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().toLowerCase();
  return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
}

/** A string from a number or boolean, as it was written; from a list of one string, that string. */
export function toText(value: unknown, literal: string | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return literal ?? String(value);
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
  return undefined;
}

export const isNullText = (value: unknown): boolean =>
  typeof value === 'string' && ['null', 'none', 'undefined', 'nil', ''].includes(value.trim().toLowerCase());

/** Exactly the two spellings of null that stand for it where no string is allowed. */
export const toNull = (value: unknown): boolean => value === 'null' || value === 'None';
