import { preview } from './feedback-preview.ts';

const small = 60;

/** By the wanted type: what the received value most plainly meant, or undefined where that would be a guess. */
const readings: Readonly<Record<string, (received: unknown) => unknown>> = {
  number: (received) => onlyNumber(received),
  integer: (received) => {
    const number = onlyNumber(received);
    return Number.isSafeInteger(number) ? number : undefined;
  },
  string: (received) => (typeof received === 'number' || typeof received === 'boolean' ? String(received) : undefined),
  boolean: (received) =>
    received === 1 || received === 'on' ? true : received === 0 || received === 'off' ? false : undefined,
  array: (received) => asList(received),
};

/** A tiny example of the wanted type made from the received value, as JSON; undefined where none is obvious. */
export function readingOf(expected: string | undefined, received: unknown): string | undefined {
  const type = expected?.replace(/ or null$/, '') ?? '';
  const reading = Object.hasOwn(readings, type) ? readings[type]?.(received) : undefined;
  if (reading === undefined) return undefined;
  const text = preview(reading, small + 1);
  return text.length <= small ? text : undefined;
}

function onlyNumber(received: unknown): number | undefined {
  if (typeof received !== 'string' || received.length > small) return undefined;
  // A number is never read out of words: in "12 years" it may be a count of months that was meant.
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(received) ? Number(received) : undefined;
}

function asList(received: unknown): unknown[] | undefined {
  if (typeof received === 'number' || typeof received === 'boolean') return [received];
  // Text that may be one item or several has no plain reading.
  if (typeof received !== 'string' || received.length > small || several.test(received)) return undefined;
  return received.trim() === '' ? undefined : [received];
}

const several = /[[\]{}<>"|,;\n\t、，；]| and | & |^\s*[-*•]/i;
