import type { Problem } from '../../json/problem.ts';
import { type Reading, readStrict, readTolerant } from '../../json/read-json.ts';
import { Marks } from '../../json/reading.ts';
import { cached } from '../../json/text-cache.ts';
import { pastedIn } from '../../json/tolerant/rules/lost-backslash.ts';
import {
  isExact,
  isObject,
  isRounded,
  type JsonObject,
  type JsonValue,
  writesFraction,
  writesInteger,
} from '../../json/value.ts';
import type { TypeName } from '../types.ts';
import { type Coerced, type Context, made, markOf, type Place, refusedAs, tooLarge } from './context.ts';
import { foldMember, wordsOf } from './fold-key.ts';
import { typesOf, type View, viewAt, viewFor, withForms } from './layout.ts';
import { fromXml, readXmlList } from './lists.ts';

type Converter = (context: Context, value: unknown, view: View, place: Place) => Coerced | undefined;

const scalar = (before: unknown, after: unknown): Coerced | undefined =>
  after === undefined ? undefined : made('type', before, after);

/** What each type can be read from. */
const converters: Record<TypeName, Converter> = {
  number: ({ untyped }, value) => numeric(value, 'number', untyped),
  integer: (_, value) => numeric(value, 'integer'),
  boolean: (context, value, _, place) => scalar(value, toBoolean(value, markOf(context, place)?.literal)),
  null: (_, value, __, place) => (toNull(value) && !place.text ? scalar(value, null) : undefined),
  string: (context, value, _, place) =>
    place.alone ? scalar(value, toText(value, markOf(context, place)?.literal)) : undefined,
  object: toObject,
  array: toList,
};

/** Reads a value as another type; undefined if that isn't possible. */
export const convert = (
  context: Context,
  value: unknown,
  type: TypeName,
  view: View,
  place: Place,
): Coerced | undefined => converters[type]?.(context, value, view, place);

/** Reads an object from text, or from a list with one object. */
function toObject(context: Context, value: unknown): Coerced | undefined {
  if (typeof value === 'string') {
    const text = uncovered(value);
    return text.startsWith('{') ? take(context, value, readOnce(context, text, 'object'), 'object') : undefined;
  }
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined;
  return made('object', value, value[0]);
}

/** Parses a text once per coercion: each form of a union needs it, and equal values must be the same object. */
function readOnce(context: Context, text: string, want: 'object' | 'array'): Reading {
  const key = `${want} ${text}`;
  return cached(context.readings, key, () => readTolerant(text, { want, damaged: true }));
}

/** Removes white space, a code fence and a second pair of quotes around a text. */
function uncovered(value: string): string {
  const text = value
    .trim()
    .replace(/^```\w*\n([\s\S]*)\n```$/, '$1')
    .trim();
  if (!/^"\s*[[{\\]/.test(text)) return text;
  const inner = readStrict(text)?.value;
  return typeof inner === 'string' ? inner.trim() : text;
}

/**
 * Uses the parsed content of a string. All its repairs count as one change. Parsed tolerantly, because strict parsing
 * doesn't keep how numbers were written.
 */
function take(context: Context, before: string, reading: Reading, kind: 'object' | 'list'): Coerced | undefined {
  const wanted = kind === 'object' ? isObject(reading.value) : Array.isArray(reading.value);
  if (!wanted || reading.problems.length || reading.nesting !== 'sure') return undefined;
  if (reading.repairs.some((repair) => repair.kind === 'prose')) return undefined;
  if (pastedIn(reading.value as JsonValue)) return undefined;
  // Marks with an unsafe integer come first; of others one is enough.
  const [first] = context.marks;
  if (reading.marks && (!first || (reading.marks.unsafe && !first.unsafe))) context.marks.unshift(reading.marks);
  return made(kind, before, reading.value);
}

/**
 * Separators of items, which may also belong to one item: signs and arrows, and words and signs between blanks.
 */
const separators =
  /(?<=\S\s{0,3})[\u2190-\u21ff\u2794-\u27be\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11](?=\s{0,3}\S)|[,;|、，；،؛፣｜､﹐･·•‣・＆＋／\u3000和或及与與と\n\t\u2028\u2029[\]{}]|\s(?:[Aa]nd|AND|[Oo]r|OR|und|oder|y|o|et|ou|en|[ei]|и|или|oraz|lub|albo|veya|ve|và|hoặc|dan|atau|και|ή|și|sau|og|eller|och|ja|tai|és|vagy|और|या|أو|ו|או|및|또는|&&?|\+|\/|[-=~]{1,3}>|(?<=\p{L}\s)(?![\0-\x7f×÷±…]|\p{Emoji_Presentation})[\p{Sk}\p{Sm}\p{So}\p{Po}](?=\s\p{L}))\s/u;
/** Paths, file names, URLs and dotted names, which blanks separate. */
const dotted = /[/\\]|\.[\p{L}\p{N}*]/u;
const sigil = /^[^\p{L}\p{N}]/u;
const option = /^--?\p{L}/u;
/** A code in capitals, with digits and signs. */
const code = /^(?=.*\p{Lu})[\p{Lu}\p{N}._:-]+$/u;
/** Whether all pieces are codes: of one shape (`PROJ-1 PROJ-2`, `2026-01-01 2026-01-02`), or in capitals (`AAPL BRK.B`). */
function areCodes(pieces: readonly string[]): boolean {
  const shapes = new Set(pieces.map((piece) => piece.replace(/\p{N}+/gu, '0').replace(/\p{L}+/gu, 'a')));
  return (shapes.size === 1 && /\p{N}/u.test(String(pieces[0]))) || pieces.every((piece) => code.test(piece));
}
/** What blanks separate, without a sign before several codes (`§§ 12 14`). */
function piecesOf(text: string): readonly string[] {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  return rest.length > 1 && !/[\p{L}\p{N}]/u.test(first) && areCodes(rest) ? rest : [first, ...rest];
}
/**
 * Whether blanks may separate items: paths, addresses, options, codes, or words that all start with one sign
 * (`#bug #ui`, `--force -v`).
 */
const areItems = (text: string): boolean => {
  const pieces = piecesOf(text);
  const [sign] = sigil.exec(pieces[0] as string) ?? [];
  return (
    pieces.length > 1 &&
    (pieces.every((piece) => dotted.test(piece)) ||
      pieces.some((piece) => option.test(piece)) ||
      pieces.filter((piece) => /\S@\S/.test(piece)).length > 1 ||
      areCodes(pieces) ||
      (sign !== undefined && pieces.every((piece) => piece.startsWith(sign) && piece !== sign)))
  );
};
const bullet = /^\s*(?:[-*•·‣–—]|\d+[.)])\s/;
/** Whether a text may be several items. */
export const isSeveral = (text: string): boolean => separators.test(text) || bullet.test(text) || areItems(text);
/** Fields whose items are written with blanks between them: the arguments of a command, columns. */
const parted = / (?:args?|argv|arguments|flags|options|columns|cols|fields|packages|ids|emails|hosts) $/;
/** Texts that mean "nothing" or "all", which aren't items. */
const nothing = new Set(['n/a', 'n.a.', '-', '--', '–', '—', 'nan', 'false', 'true', 'no', '0']);

/** Reads a list from text, or wraps a single value. */
function toList(context: Context, value: unknown, view: View, place: Place): Coerced | undefined {
  if (typeof value !== 'string') {
    const keys = isObject(value) ? Object.keys(value) : [];
    if (keys.length === 1 && fromXml.has(value as object) && !isItemKey(context, view, keys[0] as string)) {
      const items = [(value as JsonObject)[keys[0] as string]].flat();
      return made('list', value, items);
    }
    const empty = value === null || typeof value === 'boolean' || value === 0 || (isObject(value) && keys.length === 0);
    return empty || place.wrapped ? undefined : oneAsWritten(context, value, place);
  }
  const text = uncovered(value);
  if (text.startsWith('[')) {
    const reading = readOnce(context, text, 'array');
    // Unquoted words in brackets aren't a list in any language (`[WIP]`).
    return (hasWords(reading) ? undefined : take(context, value, reading, 'list')) ?? refused(context, value, view);
  }
  if (text.startsWith('(')) {
    const list = take(context, value, readTuple(context, text), 'list');
    if (list) return list;
  }
  if (text.startsWith('<')) {
    const items = readXmlList(text, (name) => isItemKey(context, view, name));
    if (items) return made('list', value, items);
  }
  if (text.startsWith('{')) {
    const object = take(context, value, readOnce(context, text, 'object'), 'object');
    return object ? one(value, object.value) : refused(context, value, view);
  }
  const isItem = viewAt(context, view.items)?.members?.includes(value);
  if (
    isNullText(value) ||
    (nothing.has(text.toLowerCase()) && !isItem) ||
    place.wrapped ||
    /^(?:<[A-Za-z/!?].*>|(["'\x60]).*\1)$/s.test(text)
  )
    return undefined;
  if (/\s/.test(text) && typeof place.key === 'string' && parted.test(` ${wordsOf(place.key)} `))
    return refused(context, value, view);
  return !isItem && isSeveral(value) ? refused(context, value, view) : one(value, value);
}

/** Reads a Python tuple that is the complete text. Unquoted words in parentheses are text. */
function readTuple(context: Context, text: string): Reading {
  const around = readOnce(context, `[${text}]`, 'array');
  const [only, ...more] = Array.isArray(around.value) ? around.value : [];
  return { ...around, value: more.length > 0 || hasWords(around) ? undefined : only };
}

const hasWords = ({ repairs }: Reading): boolean =>
  repairs.some(({ kind, after }) => kind === 'quote' && after !== undefined);

const one = (before: unknown, item: unknown): Coerced => made('list', before, [item]);

/** Wraps a value in a list and keeps how it was written, so that a list of strings gets `007` as written. */
function oneAsWritten(context: Context, value: unknown, place: Place): Coerced {
  const list = one(value, value);
  const mark = markOf(context, place);
  if (mark) {
    const marks = new Marks();
    marks.set(list.value as object, 0, mark);
    context.marks.push(marks);
  }
  return list;
}

/** Refuses text that may be one item or several, and shows both readings. */
function refused(context: Context, value: string, view: View): Coerced | undefined {
  if (value.length > 200) return undefined;
  const listed = bullet.test(value);
  const plain = value.replace(bullet, '');
  const parting = plain.includes('\n') ? '\n' : separators.test(plain) ? separators : listed ? /$^/ : undefined;
  const several = (parting === undefined ? piecesOf(plain) : plain.split(parting))
    .map((item) => item.replace(bullet, '').trim())
    .filter((item) => item !== '');
  if (several.length < 2 && !listed) return undefined;
  const types = view.items === undefined ? undefined : typesOf(context, view.items);
  return notRead(value, 'array', suggested(value, several, types));
}

/** Text that isn't read as the expected type. */
function notRead(value: string, expected: TypeName, suggestion: string | undefined): Coerced {
  const message = `expected ${expected}, got string`;
  const problem: Problem = { path: [], code: 'type', expected, received: value, message };
  return { value, repairs: [], problems: [{ ...problem, ...(suggestion && { suggestion }) }] };
}

function suggested(value: string, several: string[], types: ReadonlySet<TypeName> | undefined): string | undefined {
  const [one, more] = [[value], several].map((items) => JSON.stringify(items));
  if (!types || types.has('string')) return `Send ${one} for one item or ${more} for several`;
  const integer = !types.has('number');
  const numbers = several.map((item) => (integer && !types.has('integer') ? undefined : toNumber(item, integer)));
  return numbers.includes(undefined) ? undefined : `Send ${JSON.stringify(numbers)}`;
}

/** Whether a name is a field of the list's items. */
const isItemKey = (context: Context, { items, prefix }: View, name: string): boolean =>
  withForms(context, [items, ...prefix]).some((node) => viewFor(context, node).properties.has(name));

/** Converts scalars to other types; undefined if that isn't possible. */

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Three digits after a point may be decimals or thousands. */
const twofold = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const grouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

function numeric(value: unknown, type: TypeName, untyped?: boolean): Coerced | undefined {
  const integer = type === 'integer';
  const read = scalar(value, toNumber(value, integer, untyped));
  if (read || typeof value !== 'string') return read;
  const text = value.trim();
  if (!untyped && twofold.test(text))
    return notRead(value, type, 'Its point may separate thousands; write it without quotes');
  if (!isNumberText(text, integer) || (integer && !writesInteger(text))) return undefined;
  return writesInteger(text) ? refusedAs(value, ...tooLarge(text)) : refusedAs(value, inexact(text), 'type');
}

/** Why a decimal in text isn't read as a number. */
const inexact = (text: string): string => {
  const advice = /(?:\d\.?){16}/.test(text) ? '; write it with at most 15 digits' : '';
  return `is a number that cannot be represented exactly (${text.slice(0, 40)})${advice}`;
};

const isNumberText = (text: string, integer: boolean): boolean =>
  plainNumber.test(text) || (integer && grouped.test(text));

/** Reads a number from text; `1,234` only for an integer. Never from words, never rounded. */
function toNumber(value: unknown, integer: boolean, untyped = false): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if ((!untyped && twofold.test(text)) || !isNumberText(text, integer)) return undefined;
  const number = Number(text.replace(/,/g, ''));
  if (!Number.isFinite(number) || isRounded(number, text) || !isExact(number, text)) return undefined;
  return integer && !Number.isSafeInteger(number) ? undefined : number;
}

/** @param literal how a number was written: `1e-400` is not 0 */
function toBoolean(value: unknown, literal?: string): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof value === 'number' && literal !== undefined && writesFraction(literal)) return undefined;
  const text = String(value).trim().toLowerCase();
  return /^(?:true|yes|1)$/.test(text) || (/^(?:false|no|0)$/.test(text) ? false : undefined);
}

/** Converts a number or boolean to a string as written, or unwraps a list with one string. */
function toText(value: unknown, literal: string | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return literal ?? String(value);
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
  return undefined;
}

const isNullText = (value: unknown): boolean =>
  typeof value === 'string' && ['null', 'none', 'undefined', 'nil', ''].includes(value.trim().toLowerCase());

/** The two spellings of null, where no string is allowed. */
const toNull = (value: unknown): boolean => value === 'null' || value === 'None';

/** A word in quotes of its own: `"edit"`. */
const quotedWord = /^\s*(["'`])([^"'`]+)\1\s*$/;

/** The one allowed value that is equal except for case, spaces, `_` and `-`, and for quotes around it. */
export function memberLike(value: unknown, members: readonly unknown[]): { readonly member: unknown } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const { index, signed } = foldedMembers(members);
  const wanted = foldMember(String(value), signed);
  if (wanted === '') return undefined;
  const bare = index.has(wanted) ? undefined : quotedWord.exec(String(value))?.[2];
  const found = index.get(bare === undefined ? wanted : foldMember(bare, signed)) ?? [];
  return found.length === 1 ? { member: found[0] } : undefined;
}

interface Folded {
  /** Allowed values by normalized text. */
  readonly index: ReadonlyMap<string, readonly unknown[]>;
  /** Whether signs distinguish them: one has a `+` before a digit, or two have the same letters and digits. */
  readonly signed: boolean;
}
const indexes = new WeakMap<readonly unknown[], Folded>();

/** Normalizes allowed values; cached, because a list may need it for each item. */
const foldedMembers = (members: readonly unknown[]): Folded =>
  cached(indexes, members, () => {
    const scalars = members.filter((member) => typeof member !== 'object');
    const texts = scalars.map(String);
    const bare = new Set(texts.map((text) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()));
    const signed = bare.size < texts.length || texts.some((text) => /\+\p{N}/u.test(text));
    return { index: Map.groupBy(scalars, (member) => foldMember(String(member), signed)), signed };
  });
