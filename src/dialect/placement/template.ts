import { readJson } from '../../json/read-json.ts';
import { hasOwn, isObject, type JsonValue } from '../../json/value.ts';
import { isPlaceholder, markupField } from '../../mend/residue.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';

const types = 'string|str|text|integer|int|number|float|boolean|bool|array|list|object|dict|null|any';
const typeName = new RegExp(`^(?:${types})(?:\\[\\])?$`, 'i');
/** Words of type expressions by the JSON type that they stand for. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'string str text char varchar nvarchar clob path date datetime time uuid url uri bytes',
  integer: 'integer int long bigint smallint int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 i32 i64 u8 u32 u64',
  number: 'number float double decimal numeric f32 f64',
  boolean: 'boolean bool',
  array: 'array list vec sequence tuple',
  object: 'object dict map record',
};
const jsonTypes = new Map(
  Object.entries(typeWords).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);
/** Other words of such expressions. */
const besideTypes = new Set([
  'any',
  'null',
  'none',
  'undefined',
  'void',
  'never',
  'unknown',
  'literal',
  'union',
  'option',
  'optional',
  'required',
  'nullable',
  'maybe',
  'readonly',
  'const',
  'or',
  'of',
  'not',
  'default',
  'max',
]);
const packages =
  /^(?:java|kotlin|scala|system|std|typing|builtins|datetime|pathlib|uuid|decimal|collections)(?:(?:\.|::)\w+)*(?:\.|::)(?=\w)/i;
/** What only types have: brackets directly after a name, unions, packages and notes. */
const typeSigns = [
  /^[\w.:]+\s?[<[(]/,
  /\w\s?\|\s?\w/,
  packages,
  /^&\w/,
  /^(?:str|string|int|integer|bool|boolean|float)[?!]$/i,
  /,\s?(?:optional|required|nullable)$/i,
  /^(?:optional|nullable|readonly)\s\w+$/i,
  /\sor\s(?:null|none|undefined)$/i,
];
const longestType = 100;

/** The JSON types in an expression of types, as signatures and schemas have it. Empty if a value is anything else. */
function typesIn(value: string): readonly string[] {
  if (value.length > longestType || /[^\w\s.,:|&?!<>()[\]=*-]/.test(value)) return [];
  if (!typeSigns.some((sign) => sign.test(value))) return [];
  const names = [...value.matchAll(/[A-Za-z_][\w.:]*/g)].map(([word]) => word.replace(packages, '').toLowerCase());
  return names.every((name) => jsonTypes.has(name) || besideTypes.has(name))
    ? names.flatMap((name) => jsonTypes.get(name) ?? [])
    : [];
}

/** A name in the braces of a template. */
const slot = '[ \\t]?[\\p{L}_][\\p{L}\\p{M}\\p{N}_.-]{0,59}[ \\t]?';
/** What stands for a value. */
const words = new RegExp(`^(?:\\.{3}|…|<[^<>\\s/]{1,60}>|\\$?(?:\\{${slot}\\}|\\{\\{${slot}\\}\\}))$`, 'u');
/** Markup that nothing stands for: elements with names of their own, type parameters, declarations and C headers. */
const markup =
  /^<(?:[A-Z]|!\w+|[\w.-]+\.h(?:pp)?|h[1-6]|html|head|div|span|[uo]l|li|br|hr|img|t[rdh]|thead|tbody|nav|svg|iframe|script|pre|em|strong)>$/;
const here = /^[^\n]{0,80}\bhere\.?$/i;

/** Whether a value stands for another one. In a field for markup or patterns, markup is a value. */
const isBlankWord = (key: string, word: string): boolean =>
  words.test(word) && !(markup.test(word) && markupField.test(key) && !isPlaceholder(word, [key]));

/** Whether all arguments stand for others (`...`, `<city>`), so that there is nothing to run. */
export function isBlank(value: unknown): boolean {
  const entries = isObject(value) ? Object.entries(value) : [];
  return (
    entries.every(([key, one]) => typeof one === 'string' && (words.test(one.trim()) || isPlaceholder(one, [key]))) &&
    entries.some(([key, one]) => isBlankWord(key, String(one).trim()) || isPlaceholder(String(one), [key]))
  );
}

/**
 * Whether arguments are the schema of a tool's arguments, which describes a call. Not if the tool accepts such
 * arguments.
 */
export function isDefinition(given: unknown, schema: JsonSchema | undefined): boolean {
  const value = argumentsOf(given);
  if (!isObject(value) || value.type !== 'object' || !isObject(value.properties)) return false;
  const { properties } = (schema ?? {}) as { properties?: object };
  return !(properties && hasOwn(properties, 'type') && hasOwn(properties, 'properties'));
}

/**
 * Whether arguments are a schema, or contain only types and placeholders: an example, not a call.
 *
 * @param named whether the dialect was named, so that placeholders belong to a call, which is refused
 * @param shown whether words such as `The format is:` precede it, so that one type is enough
 */
export function isTemplate(given: unknown, schema: JsonSchema | undefined, named = false, shown = false): boolean {
  if (isDefinition(given, schema)) return true;
  const value = argumentsOf(given);
  if (!isObject(value)) return false;
  const entries = Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one.trim() : one] as const);
  if (entries.length === 0) return false;
  const all = (test: (word: string, key: string) => boolean): boolean =>
    entries.every(([key, one]) => typeof one === 'string' && test(one, key));
  const several = entries.length > 1;
  if (entries.every(([, one]) => isType(one))) return true;
  if (named) return false;
  if (all((word) => words.test(word))) return isBlank(value);
  const isTyped = (word: string, key: string): boolean => isTypeOf(key, word, typeName, schema);
  return ((several || shown) && all(isTyped)) || (several && all((word) => here.test(word)));
}

/** A field for the name of a type, which is a value there. */
const namesTypes = /type|kind|format|schema/i;

/** Whether a declared field contains its own type: its name, or an expression. A tool may also get such words as values. */
function isTypeOf(key: string, word: string, names: RegExp, schema: JsonSchema | undefined): boolean {
  const properties = propertiesOf(schema);
  const declared = hasOwn(properties, key) ? properties[key] : undefined;
  const type = isObject(declared) ? declared.type : undefined;
  const plain = word.toLowerCase().replace('[]', '');
  const named = word.endsWith('[]') ? 'array' : (jsonTypes.get(plain) ?? plain);
  const found = names.test(word) ? [named] : namesTypes.test(key) ? [] : typesIn(word);
  return found.some(
    (one) =>
      type === undefined || one === 'any' || [type].flat().includes(one) || (one === 'integer' && type === 'number'),
  );
}

/**
 * Whether every argument is the name of its field's JSON type, or stands for a value, so that there is nothing to run. A tool
 * that only reads may get one such word, as in a search.
 */
export function isTypesOnly(value: unknown, schema: JsonSchema | undefined, onlyReads: boolean): boolean {
  const entries = isObject(value) ? Object.entries(value) : [];
  const properties = propertiesOf(schema);
  // Next to an expression of types, words such as `text` are types too.
  const names = entries.some(([, one]) => typeof one === 'string' && typesIn(one.trim()).length > 0)
    ? typeName
    : schemaType;
  const isNamed = ([key, one]: [string, unknown]): boolean => {
    const declared = hasOwn(properties, key) ? properties[key] : undefined;
    return (
      typeof one === 'string' &&
      isObject(declared) &&
      declared.type !== undefined &&
      declared.enum === undefined &&
      declared.const === undefined &&
      !namesTypes.test(key) &&
      isTypeOf(key, one.trim(), names, schema)
    );
  };
  return (
    entries.length > (onlyReads ? 1 : 0) &&
    entries.some(isNamed) &&
    entries.every((entry) => isNamed(entry) || (typeof entry[1] === 'string' && isBlankWord(entry[0], entry[1].trim())))
  );
}

/** A call whose arguments may only describe it. */
interface ListedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly schema: JsonSchema | undefined;
}

/**
 * Whether calls only list the tools: they are of different tools, all without arguments or with types and placeholders
 * for them, and at least one tool needs values.
 */
export function isToolList(calls: readonly ListedCall[]): boolean {
  if (new Set(calls.map(({ name }) => name)).size < 2) return false;
  const kinds = calls.map(blankOf);
  // A single field may well contain its own name.
  return !kinds.includes('values') && (kinds.includes('blank') || kinds.filter((kind) => kind === 'names').length > 1);
}

const schemaType = /^(?:string|str|integer|int|number|float|boolean|bool|array|object)(?:\[\])?$/i;

/** What a call has for arguments: nothing, because it needs none; nothing it needs; their own names; or values. */
function blankOf({ arguments: given, schema }: ListedCall): 'none' | 'blank' | 'names' | 'values' {
  const value = typeof given === 'string' ? readShort(given) : (given ?? {});
  if (!isObject(value)) return 'values';
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(value);
  if (fields.length === 0) return required.length > 0 ? 'blank' : 'none';
  const isBlank = ([key, one]: [string, unknown]): boolean => {
    if (one === null || one === '') return required.includes(key);
    if (typeof one !== 'string') return isType(one);
    const word = one.trim();
    return isBlankWord(key, word) || here.test(word) || isTypeOf(key, word, schemaType, schema);
  };
  if (fields.every(isBlank)) return 'blank';
  return fields.every((field) => field[0] === field[1] || isBlank(field)) ? 'names' : 'values';
}

const readShort = (text: string): JsonValue | undefined =>
  text.trim() === '' ? {} : text.length < 2000 ? readJson(text).value : undefined;

/** `{"type": "string", "description": …}` instead of a value. */
const isType = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.type === 'string' &&
  typeName.test(value.type) &&
  Object.keys(value).every((key) => keywords.has(key));

const keywords = new Set(['type', 'description', 'enum', 'items', 'default', 'properties', 'required', 'format']);

/** Arguments as text are parsed only if they may be a template. */
const argumentsOf = (given: unknown): JsonValue | undefined =>
  typeof given !== 'string'
    ? (given as JsonValue | undefined)
    : given.length < longest && marks.test(given)
      ? readJson(given).value
      : undefined;

const marks = new RegExp(
  `"type"|\\.\\.\\.|…|["']\\s{0,9}(?:<|\\$?\\{|${types})|:\\s{0,9}["']\\s{0,9}(?:&?(?:${[...jsonTypes.keys(), ...besideTypes].join('|')})|${packages.source.slice(1)})|here`,
  'i',
);
const longest = 100_000;
