import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Damaged, Kind } from './kind.ts';
import { type Place, placesOf, replaced } from './places.ts';
import type { Random } from './random.ts';
import { anyLayout, tokensOf, written } from './tokens.ts';
import { valid } from './valid.ts';

/** What is put at a place, and what has to be there in the end (the old value where it is not named; null-like: `gone`). */
export interface Put {
  readonly put: JsonValue;
  readonly want?: JsonValue;
  /** True where the member has to be gone in the end. */
  readonly gone?: true;
}

/** As text three times of four, else as a value some client parsed already. */
export const asSent = (value: JsonValue, random: Random): unknown =>
  random.chance(0.25) ? value : written(tokensOf(value, anyLayout(random)));

/** Puts another value at one place that fits; undefined where none does or the outcome would not be valid. */
export const putting =
  (fits: (place: Place) => boolean, choose: (place: Place, random: Random) => Put | undefined): Kind['apply'] =>
  ({ input, tool }, random): Damaged | undefined => {
    const root = tool.inputSchema;
    const places = placesOf(input, root).filter((place) => place.path.length > 0 && !place.inUnion && fits(place));
    if (places.length === 0) return undefined;
    const place = random.pick(places);
    const chosen = choose(place, random);
    if (chosen === undefined) return undefined;
    const want = chosen.gone ? undefined : chosen.want === undefined ? place.value : chosen.want;
    const expected = replaced(input, place.path, want) as JsonObject;
    if (!valid(expected, root)) return undefined;
    return { arguments: asSent(replaced(input, place.path, chosen.put), random), expected };
  };

/** Like `putting`, where nothing valid can come of it. */
export const spoiling =
  (fits: (place: Place) => boolean, choose: (place: Place, random: Random) => JsonValue | undefined): Kind['apply'] =>
  ({ input, tool }, random): Damaged | undefined => {
    const places = placesOf(input, tool.inputSchema).filter((place) => place.path.length > 0 && fits(place));
    if (places.length === 0) return undefined;
    const place = random.pick(places);
    const put = choose(place, random);
    return put === undefined ? undefined : { arguments: asSent(replaced(input, place.path, put), random) };
  };
