import { isObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { parseCalls, wrapperKeys } from '../call/call-shape.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { readPythonCall } from '../python/parse-call.ts';
import { canonical, canonicalArguments, composed, fold, foldKey } from './canonical.ts';
import { endOf, objectAt, readLoosely } from './object-at.ts';
import { holdsPairs, type SoughtPairs, type Spend, soughtPairs } from './pairs.ts';
import { asShown, encoded, joinedForms, plainForms } from './plain-forms.ts';
import { type Span, TextIndex } from './text-index.ts';

/** A call to search for in texts. */
export interface Sought {
  /** The same for calls that are the same. */
  readonly id: string;
  /** Spellings of its name, folded. */
  readonly names: readonly string[];
  /** Its arguments in canonical form: as written, and as mended. */
  readonly wanted: ReadonlySet<string>;
  /** Its arguments as pairs: as written, and as mended; none if it has no arguments. */
  readonly forms: readonly SoughtPairs[];
  /** The keys that an object equal to the arguments may start with. */
  readonly keys: readonly string[];
  readonly schema: JsonSchema | undefined;
  /** How far it may extend around its name. */
  readonly reach: number;
}

export function soughtCall(given: readonly string[], args: readonly unknown[], schema: JsonSchema | undefined): Sought {
  const values = args.map((one) => composedIn(typeof one === 'string' ? readLoosely(one) : one));
  const wanted = new Set(values.map(canonicalArguments));
  const names = [...new Set(given.map(fold))].filter(Boolean);
  const properties = propertiesOf(schema);
  const declared = Object.keys(properties);
  const sizes = args.map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')).length);
  const reach = 8 * Math.max(0, ...sizes) + 1000;
  const inputs = new Map(values.filter(isObject).map((value) => [canonical(value), value]));
  inputs.delete('{}');
  const forms = [...inputs.values()].map((input): SoughtPairs => {
    const pairs = soughtPairs(input, properties);
    const own = new Set(pairs.flatMap(({ keys }) => keys));
    return { names, pairs, others: declared.map(fold).filter((key) => !own.has(key)), reach };
  });
  const keys = [...values.flatMap(keysOf), ...declared].map(foldKey);
  return { id: [...names, ...wanted].join('\0'), names, wanted, forms, keys, schema, reach };
}

/** A value with all of its texts composed. */
function composedIn(value: unknown): unknown {
  if (typeof value === 'string') return composed(value);
  if (Array.isArray(value)) return value.map(composedIn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [composed(key), composedIn(one)]));
}

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

/**
 * Which of the calls these texts contain in any notation, including code and quotes: the name, and an object equal to the
 * arguments anywhere before or after it, or the arguments in brackets after it, or as pairs next to it. Each text is
 * indexed once for all calls.
 *
 * @param isLoose whether a name in prose counts in the text at an index
 * @param beyond whether texts that take too much work count as containing the calls
 */
export function mentioned(
  texts: readonly string[],
  calls: readonly Sought[],
  { isLoose, beyond }: { readonly isLoose?: (at: number) => boolean; readonly beyond: boolean },
): ReadonlySet<string> {
  const open = new Map(calls.map((call) => [call.id, call]));
  const hint = hintOf(calls);
  const size = texts.reduce((sum, { length }) => sum + length, 0) + calls.reduce((sum, { reach }) => sum + reach, 0);
  let left = leastWork + workPerCharacter * size;
  const spend: Spend = (work) => {
    left -= work;
    return left >= 0;
  };
  let leftJoined = leastWork / 8 + 4 * size;
  const spendJoined: Spend = (work) => {
    leftJoined -= work;
    return leftJoined >= 0;
  };
  const names = new Set(calls.flatMap((call) => call.names));
  const keys = new Set(calls.flatMap(({ forms }) => forms.flatMap(({ pairs }) => pairs.flatMap((pair) => pair.keys))));
  const terms = new Set([...names, ...keys, ...calls.flatMap(({ forms }) => forms.flatMap(({ others }) => others))]);
  const words = new Set(calls.flatMap(({ forms }) => forms.flatMap(wordsOf)));
  for (const [at, given] of texts.entries()) {
    const text = composed(given);
    if (open.size === 0 || !(hint.test(text) || encoded.test(text) || hint.test(asShown(text)))) continue;
    const hereIn = (index: TextIndex): Sought[] =>
      [...open.values()].filter((call) => call.names.some((name) => index.places(name).length > 0));
    const forms = plainForms(text, { names, keys });
    const whole = new Set<string>();
    for (const form of forms) {
      const index = new TextIndex(form, terms, words);
      for (const word of index.words()) whole.add(word);
      const here = hereIn(index);
      const search = new Search(index, here, isLoose?.(at) ?? false, spend);
      for (const call of here) {
        const isHeld = left >= 0 && search.holds(call);
        if (isHeld || (left < 0 && beyond)) open.delete(call.id);
      }
    }
    for (const form of joinedForms(text)) {
      if (open.size === 0 || forms.has(form) || !spendJoined(form.length)) continue;
      const index = new TextIndex(form, terms, words, true);
      // A word that no line break splits is in the text; any other one is whole here.
      const has = (word: string): boolean => whole.has(word) || index.offsets(word).length > 0;
      for (const call of hereIn(index)) {
        const held = call.forms.filter((sought) => wordsOf(sought).every(has));
        if (held.some((sought) => holdsPairs(index, sought, isLoose?.(at) ?? false, spendJoined))) open.delete(call.id);
      }
    }
  }
  return new Set(calls.flatMap(({ id }) => (open.has(id) ? [] : [id])));
}

/** Maximum work for a search. */
const leastWork = 12_000_000;
const workPerCharacter = 64;

const wordsOf = ({ pairs }: SoughtPairs): string[] => pairs.flatMap(({ anchors }) => anchors.map(({ word }) => word));

/** Matches one of the names also inside words, because an escape before it may end in a letter. */
function hintOf(calls: readonly Sought[]): RegExp {
  const names = [...new Set(calls.flatMap((call) => call.names))];
  return names.length > 40
    ? /(?:)/
    : new RegExp(names.map((name) => [...name].join('[^\\p{L}\\p{N}]{0,3}')).join('|'), 'iu');
}

interface Extent {
  /** The least end and the greatest start of some places. */
  readonly leastEnd: number;
  readonly mostStart: number;
}
const noExtent: Extent = { leastEnd: Number.POSITIVE_INFINITY, mostStart: -1 };
const extended = ({ leastEnd, mostStart }: Extent, [from, to]: Span): Extent => ({
  leastEnd: Math.min(leastEnd, to),
  mostStart: Math.max(mostStart, from),
});

/** What is known of one text, found out once for all calls. */
class Search {
  readonly #index: TextIndex;
  readonly #isLoose: boolean;
  readonly #spend: Spend;
  readonly #keys: ReadonlySet<string>;
  readonly #reach: number;
  #objects: ReadonlyMap<string, Extent> | undefined;
  readonly #brackets = new Map<string, ReadonlySet<string>>();
  readonly #called = new Map<string, readonly Span[]>();

  constructor(index: TextIndex, calls: readonly Sought[], isLoose: boolean, spend: Spend) {
    this.#index = index;
    this.#isLoose = isLoose;
    this.#spend = spend;
    this.#keys = new Set(calls.flatMap(({ keys }) => keys));
    this.#reach = calls.reduce((most, { reach }) => Math.max(most, reach), 0);
  }

  holds(call: Sought): boolean {
    this.#spend(8);
    if (call.forms.length === 0) return call.names.some((name) => this.#holdsBare(name, call));
    const forms = call.forms.filter((form) => wordsOf(form).every((word) => this.#index.offsets(word).length > 0));
    if (forms.length === 0) return false;
    return (
      call.names.some((name) => this.#holdsObject(name, call) || this.#holdsBrackets(name, call)) ||
      forms.some((form) => holdsPairs(this.#index, form, this.#isLoose, this.#spend))
    );
  }

  /** A name, and an object equal to the arguments that doesn't contain it. */
  #holdsObject(name: string, { wanted }: Sought): boolean {
    this.#objects ??= this.#readObjects();
    const places = this.#isLoose ? this.#index.places(name) : this.#calledPlaces(name);
    const first = places[0];
    const last = places.at(-1);
    if (!first || !last) return false;
    return [...wanted].some((one) => {
      const found = this.#objects?.get(one);
      return found !== undefined && (found.leastEnd <= last[0] || found.mostStart >= first[1]);
    });
  }

  #calledPlaces(name: string): readonly Span[] {
    const known = this.#called.get(name);
    if (known) return known;
    const { text } = this.#index;
    const places = this.#index.places(name).filter(([from, to]) => mayCall(text, from, to));
    this.#spend(64 * this.#index.places(name).length);
    this.#called.set(name, places);
    return places;
  }

  /** The objects that start with one of the keys, by canonical form. */
  #readObjects(): ReadonlyMap<string, Extent> {
    const { text } = this.#index;
    const objects = new Map<string, Extent>();
    for (const { index, 1: key } of text.matchAll(opensObject)) {
      if (!this.#keys.has(foldKey((key as string).trim()))) continue;
      const near = text.slice(index, index + this.#reach);
      const size = endOf(near, 0);
      this.#spend(size < 0 ? near.length : 4 * size);
      if (size < 0) continue;
      const value = canonicalArguments(objectAt(near, 0));
      objects.set(value, extended(objects.get(value) ?? noExtent, [index, index + size]));
    }
    return objects;
  }

  /** `name(…)` with Python arguments or an object, also as a method's. */
  #holdsBrackets(name: string, { wanted, schema }: Sought): boolean {
    let known = this.#brackets.get(name);
    if (!known) {
      known = new Set(this.#index.places(name).flatMap(([, end]) => this.#readBrackets(end, schema)));
      this.#brackets.set(name, known);
    }
    return [...wanted].some((one) => known.has(one));
  }

  #readBrackets(end: number, schema: JsonSchema | undefined): string[] {
    const { text } = this.#index;
    const bracket = /^["'`*]{0,3}(?:\.\w{1,40}|\?\.)?\s{0,8}\(/.exec(text.slice(end, end + 64));
    if (!bracket) return [];
    const slice = `f${text.slice(end + bracket[0].length - 1, end + this.#reach)}`;
    const inner = /^f\(\s*(?=[{[])/.exec(slice);
    const object = inner ? objectAt(slice, inner[0].length) : undefined;
    const found = [slice, slice.replaceAll('`', '"')].flatMap((one) => {
      const call = readPythonCall(one, 0);
      return call?.closed === true ? [bindArguments(call, schema)] : [];
    });
    this.#spend(slice.length);
    return [...(inner ? [object] : []), ...found].map(canonicalArguments);
  }

  /** A call without arguments. */
  #holdsBare(name: string, call: Sought): boolean {
    const { text } = this.#index;
    const places = this.#calledPlaces(name);
    return places.some(([from, to]) => {
      this.#spend(call.reach);
      const after = text.slice(to, to + 400);
      const before = text.slice(Math.max(0, from - 60), from);
      return (
        nothing.test(after) ||
        (opensTag.test(before) &&
          opensCall.test(before) &&
          closesCall.test(after) &&
          !opensPair.test(after.slice(0, 200))) ||
        this.#readBrackets(to, call.schema).some((one) => call.wanted.has(one)) ||
        isEnclosed(text, from, call)
      );
    });
  }
}

const opensObject = /\{[\s"'`]{0,99}([^\s"'`:={}<][^"'`:={}<\n]{0,99})/g;

/** In prose a name is between words; a called name has punctuation on at least one side. */
const mayCall = (text: string, start: number, end: number): boolean => {
  opensArguments.lastIndex = end;
  return (
    opensArguments.test(text) ||
    /(?:[^\p{L}\p{N}\s,;.!?)]\s*|\.)$/u.test(text.slice(Math.max(0, start - 24), start)) ||
    /^[^\p{L}\p{N}]{0,8}[({<["'`=:]/u.test(text.slice(end, end + 12)) ||
    /^[\s;&?|,]{0,40}(?:--?\w|[\w-]{1,60}\s?[=:|])/.test(text.slice(end, end + 104))
  );
};
const opensArguments = /\s*[{[]/y;

/** A name followed by an empty object, with tags and labels between, but no sentence. */
const nothing = /^["'`)\]]{0,3}\s{0,4}[,:]?(?:<[^<>{}\n]{1,99}>|[^{}"',;.!?<]){0,160}["'`]?\{\s{0,40}\}/;

/** What opens a call in JSON: a tag, a token, a list after one of these, or a wrapper key. */
const opensJson = new RegExp(`(?:[>\\]｜]|["'](?:${wrapperKeys.join('|')})["']\\s{0,4}:)\\s{0,8}\\[?\\s{0,8}$`, 'u');

/** A name inside an object that is or contains a call. */
function isEnclosed(text: string, start: number, { names, wanted, reach }: Sought): boolean {
  if (!/["'][\w.:\\-]{0,60}$/.test(text.slice(Math.max(0, start - 64), start))) return false;
  const from = Math.max(0, start - reach);
  let depth = 0;
  let tries = 0;
  for (let at = start - 1; at >= from && tries < 3; at -= 1) {
    const char = text.charCodeAt(at);
    if (char === 125) depth += 1;
    else if (char === 123 && depth > 0) depth -= 1;
    else if (char === 123) {
      tries += 1;
      const value = objectAt(text.slice(at, at + 2 * reach), 0);
      const held = parseCalls(value as JsonValue).some(({ name, arguments: given, named }) => {
        // A name alone is a call only after what opens calls, because packages, jobs and users have names too.
        if (named && !opensJson.test(text.slice(Math.max(0, at - 40), at))) return false;
        return names.includes(fold(name)) && wanted.has(canonicalArguments(given));
      });
      if (held) return true;
    }
  }
  return false;
}

const opensTag = /(?:<[^<>\n]{0,40}[\s=:"'>]|<|[\]>:|｜]\s{0,4}|tool=")$/u;
const closesCall =
  /^["']?\s{0,4}\/>|^["']?[^<>\n]{0,60}?(?:\/?>|<\|sep\|>)?\s*(?:<\/?[^<>\n]{0,40}>\s*|<\|close\|>|\]<\])/u;
/** A tag of a call, if there are no arguments to recognize it by. */
const opensCall = /(?:function|invoke|tool|call|name=|to=|<[|｜][^<>]{0,40}>|\])[^<\n]{0,30}$|<$/iu;
const opensPair = /<[^<>]{0,20}(?:param\w*[\s=]|arg_key|argument )/i;
