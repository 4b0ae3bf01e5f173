import { defaultLimits } from '../../json/limits.ts';
import { readStrict } from '../../json/read-json.ts';
import { isObject } from '../../json/value.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';

/** Arguments that every provider accepts, and how they were changed. */
export interface RepairedArguments {
  readonly arguments: unknown;
  readonly kind: 'kept' | 'mended' | 'dropped';
}

/** Converts arguments to an object or its JSON text: unchanged, mended, or replaced by `{}`. */
export function repairArguments(name: string, given: unknown): RepairedArguments {
  if (typeof given === 'string' ? isObject(readStrict(given)?.value) : isObject(given))
    return { arguments: given, kind: 'kept' };
  const { value, problems } = parseArguments({ name, arguments: given }, undefined, defaultLimits);
  const mended = problems.length === 0 && isObject(value);
  const sound = mended ? value : {};
  return {
    arguments: typeof given === 'string' ? JSON.stringify(sound) : sound,
    kind: mended ? 'mended' : 'dropped',
  };
}

/** Reasons for the warnings. */
export const repairNote: Readonly<Record<'mended' | 'dropped', string>> = {
  mended: 'the arguments were not a JSON object; mended',
  dropped: 'the arguments are not a JSON object and have no single reading; sent as {}',
};
