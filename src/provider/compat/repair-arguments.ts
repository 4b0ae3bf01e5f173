import { defaultLimits } from '../../json/limits.ts';
import { readStrict } from '../../json/read-json.ts';
import { isObject } from '../../json/value.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';

/** Arguments that every provider takes, and what was done to them. */
export interface RepairedArguments {
  readonly arguments: unknown;
  readonly kind: 'kept' | 'mended' | 'dropped';
}

/** Arguments as an object or the text of one: as they are, mended, or none. */
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

/** What is told of arguments that were changed. */
export const repairNote: Readonly<Record<'mended' | 'dropped', string>> = {
  mended: 'the arguments were not a JSON object; mended',
  dropped: 'the arguments are not a JSON object and have no single reading; sent as {}',
};
