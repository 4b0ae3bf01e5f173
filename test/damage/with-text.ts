import type { JsonObject, Path } from '../../src/json/value.ts';
import type { Sample } from './definition.ts';
import { only, type Place, placesOf, replaced } from './places.ts';
import type { Random } from './random.ts';
import { valid } from './valid.ts';

/** The call with one free string holding `text`, and where it is; undefined where no string may hold it. */
export const withText = (
  sample: Sample,
  random: Random,
  text: string,
  where: (place: Place) => boolean = () => true,
): { readonly input: JsonObject; readonly path: Path } | undefined => {
  const root = sample.tool.inputSchema;
  const places = placesOf(sample.input, root).filter(
    (place) => typeof place.value === 'string' && only(place, 'string') && where(place),
  );
  if (places.length === 0) return undefined;
  const { path } = random.pick(places);
  const input = replaced(sample.input, path, text) as JsonObject;
  return valid(input, root) ? { input, path } : undefined;
};

/** True for a string that is a member of an object, not an item of a list. */
export const inObject = (place: Place): boolean => place.parent !== 'array';
/** True for a string that is an item of a list. */
export const inList = (place: Place): boolean => place.parent === 'array';
