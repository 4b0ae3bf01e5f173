import { defaultLimits } from '../../json/limits.ts';
import { unsound } from '../../json/sound.ts';
import type { JsonObject } from '../../json/value.ts';
import { mendedArguments } from '../../provider/mended-arguments.ts';

/**
 * What the history shows of arguments that were refused. They must be an object there, or later requests fail; and one that
 * the framework's own walks over its state survive.
 */
export function shownArguments(given: unknown): JsonObject {
  const { object } = mendedArguments(given);
  return unsound(object, defaultLimits) ? {} : object;
}
