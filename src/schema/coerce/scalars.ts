import type { Problem } from '../../json/problem.ts';
import { type Reading, readStrict, readTolerant } from '../../json/read-json.ts';
import { Marks } from '../../json/reading.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import { type Coerced, type Context, changed, markOf, type Place } from './context.ts';
import { foldMember } from './fold-key.ts';
import { branchesOf, typesOf, type View, viewFor } from './layout.ts';
import { fromXml, readXmlList } from './lists.ts';

type Converter = (context: Context, value: unknown, view: View, place: Place) => Coerced | undefined;

const scalar = (before: unknown, after: unknown): Coerced | undefined =>
  after === undefined ? undefined : { value: after, repairs: [changed('type', before, after)], problems: [] };

/** What each type may be read from, as the rules' table says. */
const converters: Record<TypeName, Converter> = {
  number: ({ untyped }, value) => scalar(value, toNumber(value, false, untyped)),
  integer: (_, value) => scalar(value, toNumber(value, true)),
  boolean: (_, value) => scalar(value, toBoolean(value)),
  null: (_, value, __, place) => (toNull(value) && !place.text ? scalar(value, null) : undefined),
  string: (context, value, _, place) =>
    place.alone ? scalar(value, toText(value, markOf(context, place)?.literal)) : undefined,
  object: toObject,
  array: toList,
};

/** Reads a value as the type that is wanted; undefined where it can't be. */
export const convert = (
  context: Context,
  value: unknown,
  type: TypeName,
  view: View,
  place: Place,
): Coerced | undefined => converters[type]?.(context, value, view, place);

/** Text that is an object, or a list of one. */
function toObject(context: Context, value: unknown): Coerced | undefined {
  if (typeof value === 'string') {
    const text = uncovered(value);
    return text.startsWith('{') ? take(context, value, readOnce(context, text, 'object'), 'object') : undefined;
  }
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined;
  return { value: value[0], repairs: [changed('object', value, value[0])], problems: [] };
}

/** Reads a text once in a coercion: each form of a union asks for it, and what is equal must be the same object. */
function readOnce(context: Context, text: string, want: 'object' | 'array'): Reading {
  const key = `${want} ${text}`;
  const reading = context.readings.get(key) ?? readTolerant(text, { want });
  context.readings.set(key, reading);
  return reading;
}

/** The text without white space and a fence around it, and out of quotes that were put around it once more. */
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
 * A reading of a string's content: every repair of writing it took is part of this one change. It is read tolerantly
 * at once, because strict reading does not keep how a number was written.
 */
function take(context: Context, before: string, reading: Reading, kind: 'object' | 'list'): Coerced | undefined {
  const wanted = kind === 'object' ? isObject(reading.value) : Array.isArray(reading.value);
  if (!wanted || reading.problems.length || reading.nesting !== 'sure') return undefined;
  if (reading.repairs.some((repair) => repair.kind === 'prose')) return undefined;
  // One that holds an integer too large for a number comes first; of others one is enough.
  const [first] = context.marks;
  if (reading.marks && (!first || (reading.marks.unsafe && !first.unsafe))) context.marks.unshift(reading.marks);
  return { value: reading.value, repairs: [changed(kind, before, reading.value)], problems: [] };
}

/** What may part several items, or belong to one. */
const separators = /\s*(?:[,;|、，；،؛｜､﹐･·\n\t\u2028\u2029[\]{}]|\s(?:and|or|&&?|\+|\/)\s)\s*/i;
/** Paths, file names, addresses and dotted names, which blanks part. */
const dotted = /[/\\]|\.[\p{L}\p{N}*]/u;
const arePaths = (text: string): boolean => {
  const pieces = text.trim().split(/\s+/);
  return pieces.length > 1 && pieces.every((piece) => dotted.test(piece));
};
const bullet = /^\s*(?:[-*•·‣–—]|\d+[.)])\s/;
/** Text that says there is nothing is no item. */
const nothing = new Set(['n/a', 'n.a.', '-', '--', '–', '—', 'nan', 'false', '0']);

/** Text that is a list, or one value for a list of one. */
function toList(context: Context, value: unknown, view: View, place: Place): Coerced | undefined {
  if (typeof value !== 'string') {
    const keys = isObject(value) ? Object.keys(value) : [];
    if (keys.length === 1 && fromXml.has(value as object) && !isItemKey(context, view, keys[0] as string)) {
      const items = [(value as JsonObject)[keys[0] as string]].flat();
      return { value: items, repairs: [changed('list', value, items)], problems: [] };
    }
    const empty = value === null || value === false || value === 0 || (isObject(value) && keys.length === 0);
    return empty || place.wrapped ? undefined : oneAsWritten(context, value, place);
  }
  const text = uncovered(value);
  if (text.startsWith('[')) {
    const reading = readOnce(context, text, 'array');
    // Words without quotes in brackets are no list of any language (`[WIP]`).
    return (hasWords(reading) ? undefined : take(context, value, reading, 'list')) ?? refused(context, value, view);
  }
  if (text.startsWith('(')) {
    const list = take(context, value, readTuple(context, text), 'list');
    if (list) return list;
  }
  if (text.startsWith('<')) {
    const items = readXmlList(text, (name) => isItemKey(context, view, name));
    if (items) return { value: items, repairs: [changed('list', value, items)], problems: [] };
  }
  if (text.startsWith('{')) {
    const object = take(context, value, readOnce(context, text, 'object'), 'object');
    return object ? one(value, object.value) : refused(context, value, view);
  }
  if (
    isNullText(value) ||
    nothing.has(text.toLowerCase()) ||
    place.wrapped ||
    /^(?:<[A-Za-z/!?].*>|(["'\x60]).*\1)$/s.test(text)
  )
    return undefined;
  const isSeveral = separators.test(value) || bullet.test(value) || arePaths(value);
  return isSeveral ? refused(context, value, view) : one(value, value);
}

/** A Python tuple that is all of the text; words without quotes in parentheses are no tuple but text. */
function readTuple(context: Context, text: string): Reading {
  const around = readOnce(context, `[${text}]`, 'array');
  const [only, ...more] = Array.isArray(around.value) ? around.value : [];
  return { ...around, value: more.length > 0 || hasWords(around) ? undefined : only };
}

const hasWords = ({ repairs }: Reading): boolean =>
  repairs.some(({ kind, after }) => kind === 'quote' && after !== undefined);

const one = (before: unknown, item: unknown): Coerced => ({
  value: [item],
  repairs: [changed('list', before, [item])],
  problems: [],
});

/** A list of one keeps how its item was written, so that a list of strings gets `007` as it came. */
function oneAsWritten(context: Context, value: unknown, place: Place): Coerced {
  const made = one(value, value);
  const mark = markOf(context, place);
  if (mark) {
    const marks = new Marks();
    marks.set(made.value as object, 0, mark);
    context.marks.push(marks);
  }
  return made;
}

/** Text that may be one item or several is left to the model, with both readings shown as far as the items' type allows. */
function refused(context: Context, value: string, view: View): Coerced | undefined {
  if (value.length > 200) return undefined;
  const listed = bullet.test(value);
  const plain = value.replace(bullet, '');
  const parting = plain.includes('\n') ? '\n' : separators.test(plain) ? separators : listed ? /$^/ : /\s+/;
  const several = plain
    .split(parting)
    .map((item) => item.replace(bullet, '').trim())
    .filter((item) => item !== '');
  if (several.length < 2 && !listed) return undefined;
  const types = view.items === undefined ? undefined : typesOf(context, view.items);
  const problem: Problem = {
    path: [],
    code: 'type',
    expected: 'array',
    received: value,
    message: 'expected array, got string',
  };
  const suggestion = suggested(value, several, types);
  return { value, repairs: [], problems: [suggestion === undefined ? problem : { ...problem, suggestion }] };
}

function suggested(value: string, several: string[], types: ReadonlySet<TypeName> | undefined): string | undefined {
  const [one, more] = [[value], several].map((items) => JSON.stringify(items));
  if (!types || types.has('string')) return `Send ${one} for one item or ${more} for several`;
  const integer = !types.has('number');
  const numbers = several.map((item) => (integer && !types.has('integer') ? undefined : toNumber(item, integer)));
  return numbers.includes(undefined) ? undefined : `Send ${JSON.stringify(numbers)}`;
}

/** Is this the name of a field of the list's items? */
function isItemKey(context: Context, view: View, name: string): boolean {
  const fits = (schema: JsonSchema | undefined, depth = 0): boolean => {
    const node = schema === undefined ? true : context.interpreter.resolve(schema);
    if (!isObject(node) || depth > 8) return false;
    const forms = branchesOf(context, node as SchemaObject);
    if (forms) return forms.some((form) => fits(form, depth + 1));
    return viewFor(context, node as SchemaObject).properties.has(name);
  };
  return [view.items, ...view.prefix].some((schema) => fits(schema));
}

/** Readings of a scalar as another type, by the type that is wanted; undefined where there is none. */

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** An integer written out, whose digits a number past 2^53 would not keep. */
const writtenOut = /^[+-]?[\d,]+\.?0*$/;
/** Three digits behind a point: decimals, or thousands. */
const twofold = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const grouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

/** A number from its text; `1,234` only where an integer is wanted. Never out of words, never rounded. */
function toNumber(value: unknown, integer: boolean, untyped = false): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if ((!untyped && twofold.test(text)) || (!plainNumber.test(text) && !(integer && grouped.test(text))))
    return undefined;
  const number = Number(text.replaceAll(',', ''));
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && writtenOut.test(text)) return undefined;
  return integer && !Number.isInteger(number) ? undefined : number;
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  false: false,
  no: false,
  '1': true,
  '0': false,
};

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().toLowerCase();
  return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
}

/** A string from a number or boolean, as it was written; from a list of one string, that string. */
function toText(value: unknown, literal: string | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return literal ?? String(value);
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
  return undefined;
}

const isNullText = (value: unknown): boolean =>
  typeof value === 'string' && ['null', 'none', 'undefined', 'nil', ''].includes(value.trim().toLowerCase());

/** Exactly the two spellings of null that stand for it where no string is allowed. */
const toNull = (value: unknown): boolean => value === 'null' || value === 'None';

/** The one allowed value equal to this but for case, spaces, `_` and `-`. */
export function memberLike(value: unknown, members: readonly unknown[]): { readonly member: unknown } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const wanted = foldMember(String(value));
  if (wanted === '') return undefined;
  const found = foldedMembers(members).get(wanted) ?? [];
  return found.length === 1 ? { member: found[0] } : undefined;
}

const indexes = new WeakMap<readonly unknown[], ReadonlyMap<string, readonly unknown[]>>();

/** Allowed values by what is left of them folded; made once, because a list may ask for each of its items. */
function foldedMembers(members: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const known = indexes.get(members);
  if (known) return known;
  const index = new Map<string, unknown[]>();
  for (const member of members) {
    if (member === null || typeof member === 'object') continue;
    const folded = foldMember(String(member));
    const same = index.get(folded);
    if (same) same.push(member);
    else index.set(folded, [member]);
  }
  indexes.set(members, index);
  return index;
}
