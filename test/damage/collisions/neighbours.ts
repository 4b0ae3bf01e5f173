/** Originals near an original: what else could have been meant, a quote, a comment or a comma away. */
import { isObject, type JsonObject, type JsonValue } from '../../../src/json/value.ts';
import { only, type Place, placesOf, replaced } from '../places.ts';
import type { Random } from '../random.ts';
import type { Template } from './template.ts';

/** Each turns one text into another that somebody may mean as well; undefined where nobody would. */
const edits: readonly ((text: string, random: Random) => string | undefined)[] = [
  // A phrase and the same phrase quoted.
  (text) => (/^[\w .-]{1,40}$/.test(text) ? `"${text}"` : undefined),
  (text) => /^"(.*)"$/s.exec(text)?.[1],
  // Straight quotes and typographic ones.
  (text) => (/^[^\\(){};=<>]*"[^"\n]+"[^\\(){};=<>]*$/.test(text) ? text.replace(/"([^"\n]+)"/g, '“$1”') : undefined),
  (text) => (/“[^”\n]+”/.test(text) ? text.replace(/“([^”\n]+)”/g, '"$1"') : undefined),
  // A line of code or shell, with and without a comment.
  (text, random) => (/^[a-z./~][\w./ -]*$/i.test(text) ? text + random.pick([' # old', ' // old', ' #5']) : undefined),
  (text) => /^(.*\S) +(?:#|\/\/) .*$/.exec(text)?.[1],
  // A path or regular expression as source code writes it.
  (text) => (/^[^\s"']*\\[^\s"']*$/.test(text) && !text.includes('\\\\') ? text.replaceAll('\\', '\\\\') : undefined),
  (text) => (/\\\\/.test(text) && /^[\w:]/.test(text) ? text.replaceAll('\\\\', '\\') : undefined),
  // A path and the same one with the other slash; with a dot, a sign or a zero before it.
  (text) => (/^[\w:]+(?:\\[\w .]+)+$/.test(text) ? text.replaceAll('\\', '/') : undefined),
  (text) => (/^\d{1,6}$/.test(text) ? `0${text}` : /^0\d+$/.test(text) ? String(Number(text)) : undefined),
  (text) => (/^\d+$/.test(text) ? `${text}.0` : /^\d+\.0$/.test(text) ? text.slice(0, -2) : undefined),
];

const listEdits: readonly ((items: readonly JsonValue[], random: Random) => JsonValue[] | undefined)[] = [
  (items, random) =>
    items.length > 1 && items.every((item) => typeof item === 'string')
      ? [items.join(random.pick([', ', '; ', ' | ', ' and ', '、']))]
      : undefined,
  (items) =>
    items.length === 1 && typeof items[0] === 'string' && /\w[,;] ?\w/.test(items[0])
      ? items[0].split(/[,;] ?/)
      : undefined,
  (items) => (items.length > 2 ? items.filter((_, at) => at !== 1) : undefined),
];

const isText = (place: Place): boolean => typeof place.value === 'string' && only(place, 'string');
const isList = (place: Place): boolean => Array.isArray(place.value);

/** Some neighbours of a value. */
export const neighboursOf = (value: JsonValue, { json }: Template, random: Random): JsonValue[] => {
  const places = placesOf(value, json);
  const texts = places.filter(isText).filter(({ form }) => form.enum === undefined);
  const lists = places.filter(isList);
  const made: (JsonValue | undefined)[] = [];
  if (texts.length > 0) {
    const place = random.pick(texts);
    for (const edit of edits) {
      const next = edit(place.value as string, random);
      made.push(next === undefined ? undefined : replaced(value, place.path, next));
    }
  }
  if (lists.length > 0) {
    const place = random.pick(lists);
    const next = random.pick(listEdits)(place.value as JsonValue[], random);
    made.push(next === undefined ? undefined : replaced(value, place.path, next));
  }
  const optional = isObject(value) ? Object.keys(value).filter((key) => !json.required?.includes(key)) : [];
  if (optional.length > 0) {
    const { [random.pick(optional)]: _, ...rest } = value as JsonObject;
    made.push(rest);
  }
  return made.filter((one) => one !== undefined);
};
