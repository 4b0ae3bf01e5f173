import type { JsonObject } from '../../json/value.ts';
import { mendedArguments } from '../../provider/mended-arguments.ts';

/** What the history shows of arguments that were refused: they must be an object there, or later requests fail. */
export const shownArguments = (given: unknown): JsonObject => mendedArguments(given).object;
