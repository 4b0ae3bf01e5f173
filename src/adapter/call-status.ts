import { defaultLimits } from '../json/limits.ts';
import type { CheckedCall } from '../mend/mend-call.ts';
import { parseArguments } from '../mend/parse-arguments.ts';
import { argumentsObject } from '../provider/wire/arguments.ts';

/** Whether a call's arguments could not be read: then nobody can say what was called, and no check of a tool's own finds it. */
export function isUnread({ outcome: { status, raw, tool } }: CheckedCall): boolean {
  if (status !== 'invalid') return false;
  return (raw.found ?? []).length > 0 || parseArguments(raw, tool?.schema.json, defaultLimits).problems.length > 0;
}

/**
 * Arguments as a value where their text is exactly what a program writes of one: then a provider's package may have made it
 * of an object, and what was cut off looks complete. Text that the model wrote stays text.
 */
export function asValue(text: string): unknown {
  const value = argumentsObject(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}
