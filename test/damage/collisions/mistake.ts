import type { JsonValue, Path } from '../../../src/json/value.ts';
import { type Place, placesOf } from '../places.ts';
import type { Random } from '../random.ts';
import { anyLayout, rewritten, type Token, tokensOf } from '../tokens.ts';
import type { Template } from './template.ts';

/** What a model meant, and for which schema. */
export interface Meant {
  readonly value: JsonValue;
  readonly template: Template;
}

/**
 * One mistake that models make. `why` says where it comes from: only what a model does by itself belongs here, since an
 * original that nobody would write makes every repair look ambiguous.
 */
export interface Mistake {
  readonly name: string;
  readonly why: string;
  /** Set where the text holds less than was meant, or says not to call: nothing may be accepted. */
  readonly lost?: true;
  /** Set where strict reading and the validator let it pass, and it has to be refused all the same. */
  readonly evenStrict?: true;
  /** Set where the text could also have been written for something else, so that no reading is lossless. */
  readonly doubtful?: true;
  /** Set where the end is missing: keys may be missing from what is accepted, but no value may differ. */
  readonly cut?: true;
  /** The text the model wrote, or undefined where this mistake can't be made here. */
  write(meant: Meant, random: Random): string | undefined;
}

export const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((key, at) => key === other[at]);

/** The places of a value, the root first. */
export const places = ({ value, template }: Meant): Place[] => placesOf(value, template.json);

/** Whether a text is JSON by itself. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Tells the places that take any type: what is written there as a number is one. */
export const untyped = (meant: Meant): ((token: Token) => boolean) => {
  const open = places(meant).filter(({ types }) => types.has('number') && types.has('string'));
  return (token) => open.some(({ path }) => samePath(path, token.path));
};

/** A string as JSON writes it, without its quotes. */
export const bodyOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Changes the escapes of a JSON body one by one; `undefined` leaves an escape as it is. */
export const escapes = (body: string, change: (sequence: string) => string | undefined): string =>
  body.replace(/\\(?:u[\da-f]{4}|.)/g, (sequence) => change(sequence) ?? sequence);

/**
 * A mistake in how strings are written: one of them, or every one. `undefined` from `write` means that the string comes out
 * as JSON has it; a text in which every string does is no mistake.
 */
export const writingStrings =
  (
    write: (text: string, random: Random, token: Token, loose: boolean) => string | undefined,
    reach: 'one' | 'all' | 'values' = 'one',
  ) =>
  (meant: Meant, random: Random): string | undefined => {
    const tokens = tokensOf(meant.value, anyLayout(random));
    const wanted = (token: Token): boolean => token.kind === 'string' || (reach === 'all' && token.kind === 'key');
    const loose = untyped(meant);
    const changed = tokens.map((token) =>
      wanted(token) ? write(token.meant ?? '', random, token, loose(token)) : undefined,
    );
    const apt = changed.flatMap((text, at) => (text !== undefined && text !== tokens[at]?.text ? [at] : []));
    if (apt.length === 0) return undefined;
    const only = reach === 'one' ? random.pick(apt) : undefined;
    // Where every string is written so, one that can't be written so spoils it.
    if (reach !== 'one' && tokens.some((token, at) => wanted(token) && changed[at] === undefined)) return undefined;
    return rewritten(tokens, (_, at) => (only === undefined || at === only ? changed[at] : undefined));
  };
