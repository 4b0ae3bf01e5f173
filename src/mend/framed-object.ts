import { type Reading, type ReadOptions, readStrict } from '../json/read-json.ts';
import { note } from '../json/tolerant/pick-value.ts';
import { isObject } from '../json/value.ts';

/** Signs around a complete object that say nothing: of an expression, of a template, or of a quotation that isn't open. */
const frames: readonly RegExp[] = [
  /^\s*\(\s*(\{[\s\S]*\})\s*\)\s*;?\s*$/,
  /^\s*\{\s*(\{[\s\S]*\})\s*\}\s*$/,
  /^\s*(\{[\s\S]*\})\s*['`]\s*$/,
  // Not after a string, which may be open, with the brace and a quote in it.
  /^\s*(\{[\s\S]*[^\s"}\]][\s}\]]*\})\s*"\s*$/,
];

/** Reads an object that is valid JSON inside parentheses or another pair of braces, or before a quote. */
export function readFramed(text: string, options: ReadOptions): Reading | undefined {
  for (const frame of frames) {
    const inside = frame.exec(text)?.[1];
    const reading = inside === undefined ? undefined : readStrict(inside, options);
    if (reading && isObject(reading.value)) return { ...reading, repairs: [note('prose', text, 'inferred')] };
  }
  return undefined;
}
