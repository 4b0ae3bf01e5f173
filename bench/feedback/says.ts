/** Whether a message tells the model what to change, compared with ajv's errors for the same call. */
import type { ErrorObject } from 'ajv';

/** A fault: the field, what was expected, and what was received. */
export interface Wrong {
  readonly field: string;
  readonly expected: readonly string[];
  readonly received: readonly string[];
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Some write int for integer, and "a number" is enough for a value that isn't a number. */
const typeWords = (type: string, value: unknown): readonly string[] =>
  type === 'integer' ? [type, 'expected int', ...(typeof value === 'number' ? [] : ['number'])] : [type];

/** The words by kind of error that show what was expected. Other kinds are not checked. */
const wanted: Readonly<
  Record<string, (params: Readonly<Record<string, unknown>>, value: unknown) => readonly string[]>
> = {
  required: () => ['required', 'missing', 'undefined'],
  additionalProperties: () => [
    'additional',
    'unrecognized',
    'unexpected',
    'unknown',
    'not known',
    'not allowed',
    'given twice',
    'leave it out',
  ],
  type: ({ type }, value) => [type].flat().flatMap((one) => typeWords(String(one), value)),
  enum: ({ allowedValues }) => (allowedValues as readonly unknown[]).map(String),
  const: ({ allowedValue }) => [String(allowedValue)],
  minimum: ({ limit }) => [String(limit)],
  maximum: ({ limit }) => [String(limit)],
  minLength: ({ limit }) => [String(limit)],
  maxLength: ({ limit }) => [String(limit)],
  minItems: ({ limit }) => [String(limit)],
  maxItems: ({ limit }) => [String(limit)],
  pattern: ({ pattern }) => [String(pattern)],
};

/** The fault that an ajv error reports. Undefined if it concerns no field or its kind is not checked. */
export function wrongOf({ instancePath, keyword, params }: ErrorObject, input: unknown): Wrong | undefined {
  const steps = instancePath.split('/').slice(1);
  let value = input;
  for (const step of steps) value = (value as Record<string, unknown> | undefined)?.[step];
  const words = wanted[keyword]?.(params as Record<string, unknown>, value);
  const named: unknown = params.missingProperty ?? params.additionalProperty;
  const field = named === undefined ? steps.findLast((step) => !/^\d+$/.test(step)) : String(named);
  if (!words || field === undefined) return undefined;
  const literal = typeof value === 'object' ? [] : [String(value)];
  // A missing field has no received value, and an unexpected one is received as its name.
  const received = named === undefined ? [typeOf(value), ...literal] : [...words, String(named)];
  return { field, expected: words, received };
}

const holds = (text: string, words: readonly string[]): boolean =>
  words.some((word) => word !== '' && text.toLowerCase().includes(word.toLowerCase()));

/** For the faults of a call: whether each is named, with what was expected and what was received. */
export const says = (
  text: string,
  wrong: readonly Wrong[],
): Readonly<Record<'field' | 'expected' | 'received', boolean>> => ({
  field: wrong.every(({ field }) => holds(text, [field])),
  expected: wrong.every(({ expected }) => holds(text, expected)),
  received: wrong.every(({ received }) => holds(text, received)),
});
