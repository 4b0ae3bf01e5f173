import { claimOf, type Problem, type ProblemCode, problemAt, rootProblem } from '../../json/problem.ts';
import { asWritten, readJson } from '../../json/read-json.ts';
import { gotDecimal, type Mark, Marks } from '../../json/reading.ts';
import type { Repair } from '../../json/repair.ts';
import { pastedFault } from '../../json/tolerant/rules/escape-rules.ts';
import { readScalar } from '../../json/tolerant/scalars.ts';
import { hasOwn, isObject, type JsonObject, type JsonValue, type Path } from '../../json/value.ts';
import { coerce } from '../../schema/coerce/coerce.ts';
import { layoutOf, typesOf } from '../../schema/coerce/layout.ts';
import { isTextOnly } from '../../schema/coerce/lists.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { type CallNotes, newCallNotes } from './call-notes.ts';

/**
 * Converts values without types, from tags or Python, to the types of their schema. That is reading, not repair: a
 * value that may be a string stays as written, and one that matches nothing is left to validation. Inside JSON there
 * are types, so that conversions count as repairs.
 *
 * @param writtenAs how the text of a field is written, if that is known
 */
export function applyTypes(
  values: JsonObject,
  schema: JsonSchema | undefined,
  marks?: Marks,
  found: CallNotes = newCallNotes(),
  writtenAs: (key: string) => Written = () => undefined,
): JsonObject {
  if (!isObject(schema) && !marks) return values;
  const root = (isObject(schema) ? schema : {}) as SchemaObject;
  const typed: JsonObject = {};
  for (const [key, value] of Object.entries(values)) {
    const given = giveType(key, value, root, marks, marks?.get(values, key), found, writtenAs(key));
    // Defined instead of assigned, so that a forbidden key is detected and refused.
    Object.defineProperty(typed, key, { ...kept, value: given });
  }
  return typed;
}

/** `json` if a value was read from JSON, `text` if its tag says that it is text. */
type Written = 'json' | 'text' | undefined;

const kept = { enumerable: true, writable: true, configurable: true };

function giveType(
  key: string,
  value: JsonValue,
  root: SchemaObject,
  marks: Marks | undefined,
  mark: ReturnType<Marks['get']>,
  found: CallNotes,
  writtenAs: Written,
): JsonValue {
  const property = propertyOf(root, key);
  if (property === undefined && !marks) return value;
  if (typeof value === 'string' && !mark) {
    const allowed = property && typesOf(layoutOf(root), property);
    const mayBeNull = writtenAs === undefined && (!allowed || allowed.has('null'));
    if (property !== undefined && value.trim() === 'null' && mayBeNull) return null;
    if (!allowed || allowed.has('string')) return quotedMember(key, value, property, found) ?? value;
  }
  const held: SchemaObject = { ...defsOf(root), type: 'object', properties: { [key]: property ?? true } };
  const given = { [key]: value };
  if (mark) marks?.set(given, key, mark);
  const { value: made, problems, repairs } = coerce(given, held, { marks, untyped: true });
  // Text is read again by validation.
  if (typeof value !== 'string' || mark)
    found.problems.push(...problems.filter(({ code }) => doubts.includes(code)), ...decimals(problems));
  if (problems.length > 0 || !isObject(made) || made[key] === undefined) return value;
  /** The path of the text around, if it is JSON. A string in JSON has a type itself. */
  let text: Path | undefined = writtenAs !== 'json' ? undefined : typeof value === 'string' && !mark ? [] : [key];
  for (const repair of repairs) {
    const { path, before } = repair;
    const isInside = text && path.length > text.length && text.every((one, at) => one === path[at]);
    if (isInside || !isRead(repair)) found.read.push(repair);
    if (!isInside && typeof before === 'string' && /^\s*[[{]/.test(before)) text = path;
  }
  return made[key] as JsonValue;
}

/**
 * A member of an enum that is written as a JSON string, as some grammars force models to. Only the schema shows that the
 * quotes aren't part of the value, so it is inferred.
 */
function quotedMember(
  key: string,
  value: string,
  property: JsonSchema | undefined,
  found: CallNotes,
): string | undefined {
  const members = isObject(property) ? (property as SchemaObject).enum : undefined;
  const text = value.trim();
  if (!members || members.includes(value) || !/^"[^"\\]*"$/.test(text)) return undefined;
  const member = text.slice(1, -1);
  if (!members.includes(member)) return undefined;
  found.read.push({ path: [key], kind: 'quote', before: value, after: member, certainty: 'inferred' });
  return member;
}

/** Problems of how a value is written, which validation doesn't see. */
const doubts: readonly ProblemCode[] = ['unsafe_integer', 'ambiguous', 'duplicate_key'];

/** A decimal that is rounded to an integer, which validation doesn't see either. */
const decimals = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ code, message }) => code === 'type' && message.endsWith(gotDecimal));

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converting a scalar to the type of its field is reading: the same number, boolean or text, or a list or object
 * written as JSON.
 */
function isRead({ kind, before, after }: Repair): boolean {
  // A number with underscores may stand for its digits.
  if (typeof after === 'string')
    return kind === 'type' && typeof before !== 'object' && !(typeof before === 'number' && after.includes('_'));
  if (typeof before !== 'string') return kind === 'type' && typeof before === 'number' && before === after;
  const text = before.trim();
  if (typeof after === 'number') return number.test(text);
  if (typeof after === 'boolean') return /^(?:true|false)$/i.test(text);
  if (after === null) return text === 'null' || text === 'None';
  return isWritten(text);
}

/** Whether a text is a list or object in valid JSON. */
function isWritten(text: string): boolean {
  try {
    return /^[[{]/.test(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a field accepts text. */
export const takesText = (property: JsonSchema | undefined, root: SchemaObject): boolean =>
  property === undefined || (typesOf(layoutOf(root), property)?.has('string') ?? true);

/** Whether a field accepts text and nothing else but null. */
function isTextAlone(property: JsonSchema | undefined, root: SchemaObject): boolean {
  const allowed = property === undefined ? undefined : typesOf(layoutOf(root), property);
  return allowed !== undefined && isTextOnly(allowed);
}

/** The definitions that references can use. */
const defsOf = (root: SchemaObject): SchemaObject => ({
  ...(root.$defs !== undefined && { $defs: root.$defs }),
  ...(root.definitions !== undefined && { definitions: root.definitions }),
});

function propertyOf(root: SchemaObject, key: string): JsonSchema | undefined {
  const properties = root.properties as Record<string, JsonSchema> | undefined;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const forms = [...(root.allOf ?? []), ...(root.anyOf ?? []), ...(root.oneOf ?? [])] as JsonSchema[];
  for (const form of forms) {
    const found = isObject(form) ? propertyOf(form as SchemaObject, key) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reads tagged values: as JSON if their tags say that they aren't text, or if there is no schema and they plainly are
 * JSON. Then types them.
 *
 * @param tags the types that the tags name
 */
export function readTagged(
  values: JsonObject,
  tags: Readonly<Record<string, string>>,
  schema: JsonSchema | undefined,
  found: CallNotes,
): JsonObject {
  const made: JsonObject = {};
  const marks = new Marks();
  const json = new Set<string>();
  const texts = new Set<string>();
  for (const [key, text] of Object.entries(values)) {
    const tag = hasOwn(tags, key) ? tags[key] : undefined;
    if (tag === 'string' || tag === 'true') texts.add(key);
    const isText = typeof text !== 'string' || texts.has(key) || (schema && tag === undefined);
    const read = isText ? undefined : tag === undefined ? plainValue(text) : toldValue(text, key, schema, found);
    Object.defineProperty(made, key, { ...kept, value: read ? read.value : text });
    if (!read) continue;
    json.add(key);
    if (read.mark) marks.set(made, key, read.mark);
    if (read.marks?.unsafe) marks.unsafe = true;
  }
  const writtenAs = (key: string): Written => (json.has(key) ? 'json' : texts.has(key) ? 'text' : undefined);
  return applyTypes(made, schema, json.size > 0 ? marks : undefined, found, writtenAs);
}

interface Plain {
  readonly value: JsonValue;
  readonly mark?: Mark;
  readonly marks?: Marks | undefined;
}

/** The most plausible value of tagged text without a schema: exact JSON. */
function plainValue(text: string): Plain | undefined {
  const inner = text.trim();
  if (!/^[[{]/.test(inner)) return plainScalar(inner, false);
  const { value, problems, nesting, repairs, marks } = readJson(inner);
  const isExact = problems.length === 0 && nesting === 'sure' && !marks?.unsafe && repairs.every(isLossless);
  return isExact && typeof value === 'object' ? { value } : undefined;
}

const isLossless = ({ certainty }: Repair): boolean => certainty === 'lossless';

/** The value of text that its tag calls JSON, with the repairs and problems of reading it. */
function toldValue(text: string, key: string, schema: JsonSchema | undefined, found: CallNotes): Plain | undefined {
  const inner = text.trim();
  const isString = /^"[\s\S]*"$/.test(inner);
  if (!isString && !/^[[{]/.test(inner)) return plainScalar(inner, true);
  const { value, problems, nesting, repairs, marks } = asWritten(readJson(inner), inner);
  // A tag that says so of text is a mistake, after which a path may not be escaped either.
  const pasted = typeof value === 'string' ? pastedFault(value) : undefined;
  const doubt = pasted === undefined ? unmatched : rootProblem('ambiguous', pasted);
  const faults = problems.length === 0 && (pasted !== undefined || nesting !== 'sure') ? [doubt] : problems;
  if (faults.length > 0 && !isString && isObject(schema) && isTextAlone(propertyOf(schema, key), schema))
    return undefined;
  found.read.push(...repairs.map((one) => ({ ...one, path: [key, ...one.path] })));
  for (const one of faults) {
    const path = [key, ...one.path];
    found.problems.push(problemAt(path, one.code, claimOf(one), { ...one, path }));
  }
  return faults.length > 0 || value === undefined ? undefined : { value, marks };
}

const unmatched = rootProblem('syntax', 'has brackets that do not match; send valid JSON');

/** A number or constant of JSON, or a boolean of Python. Without a type, one that may be text stays text. */
function plainScalar(inner: string, told: boolean): Plain | undefined {
  if (!/^(?:-?\d|(?:true|false|null|True|False)$)/.test(inner)) return undefined;
  const scalar = readScalar(inner);
  if (!scalar || scalar.repair === 'number' || (scalar.unsafe && !told)) return undefined;
  const { value, repair, number, ...written } = scalar;
  return { value, mark: { literal: inner, ...written } };
}
