import { defaultLimits } from '../json/limits.ts';
import type { CheckedCall } from '../mend/mend-call.ts';
import { parseArguments } from '../mend/parse-arguments.ts';
import { argumentsObject } from '../provider/wire/arguments.ts';

/** Whether a call's arguments couldn't be parsed, so that it is unknown what was called. */
export function isUnread({ outcome: { status, raw, tool } }: CheckedCall): boolean {
  if (status !== 'invalid') return false;
  return (raw.found ?? []).length > 0 || parseArguments(raw, tool?.schema.json, defaultLimits).problems.length > 0;
}

/**
 * Parses arguments that are exactly what `JSON.stringify` produces: a provider package may have serialized an object,
 * which hides a truncation. Text written by the model stays text.
 */
export function asValue(text: string): unknown {
  const value = argumentsObject(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}
