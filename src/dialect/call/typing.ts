import type { Problem } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import type { Marks } from '../../json/reading.ts';
import type { Repair } from '../../json/repair.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { coerce } from '../../schema/coerce/coerce.ts';
import { layoutOf, typesOf } from '../../schema/coerce/layout.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { type CallNotes, newCallNotes } from './call-notes.ts';

/**
 * Converts values without types, from tags or Python, to the types of their schema. That is reading, not repair: a
 * value that may be a string stays as written, and one that matches nothing is left to validation.
 */
export function applyTypes(
  values: JsonObject,
  schema: JsonSchema | undefined,
  marks?: Marks,
  found: CallNotes = newCallNotes(),
): JsonObject {
  if (!isObject(schema)) return values;
  const root = schema as SchemaObject;
  const typed: JsonObject = {};
  for (const [key, value] of Object.entries(values)) {
    const property = propertyOf(root, key);
    const mark = marks?.get(values, key);
    if (mark?.unsafe && !isTextAlone(property, root)) found.problems.push(unsafe(key, mark.literal));
    const given = giveType(value, property, root, marks, mark, (repair) => {
      if (!isRead(repair)) found.read.push({ ...repair, path: [key, ...repair.path.slice(1)] });
    });
    // Defined instead of assigned, so that a forbidden key is detected and refused.
    Object.defineProperty(typed, key, { value: given, enumerable: true, writable: true, configurable: true });
  }
  return typed;
}

function giveType(
  value: JsonValue,
  property: JsonSchema | undefined,
  root: SchemaObject,
  marks: Marks | undefined,
  mark: ReturnType<Marks['get']>,
  tell: (repair: Repair) => void,
): JsonValue {
  if (property === undefined) return value;
  if (typeof value === 'string') {
    const allowed = typesOf(layoutOf(root), property);
    if (value.trim() === 'null' && (!allowed || allowed.has('null'))) return null;
    if (!allowed || allowed.has('string')) return value;
  }
  const held: SchemaObject = { ...defsOf(root), type: 'object', properties: { value: property } };
  const given = { value };
  if (mark) marks?.set(given, 'value', mark);
  const { value: made, problems, repairs } = coerce(given, held, { marks, untyped: true });
  if (problems.length > 0 || !isObject(made) || made.value === undefined) return value;
  repairs.forEach(tell);
  return made.value as JsonValue;
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converting a scalar to the type of its field is reading: the same number, boolean or text, or a list or object
 * written as JSON.
 */
function isRead({ kind, before, after }: Repair): boolean {
  if (typeof after === 'string') return kind === 'type' && typeof before !== 'object';
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

/** Whether a field accepts text and no number. */
function isTextAlone(property: JsonSchema | undefined, root: SchemaObject): boolean {
  const allowed = property === undefined ? undefined : typesOf(layoutOf(root), property);
  return allowed?.has('string') === true && !allowed.has('number') && !allowed.has('integer');
}

const unsafe = (key: string, literal: string): Problem => ({
  path: [key],
  code: 'unsafe_integer',
  received: literal,
  message: `Field '${key}' is an integer too large to represent exactly: ${literal.slice(0, 40)}`,
});

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

/** The most plausible value of tagged text without a schema: a JSON literal, otherwise the text. */
export function plainValue(text: string): JsonValue {
  const inner = text.trim();
  if (inner === 'True' || inner === 'False') return inner === 'True';
  if (!/^(?:[[{]|-?\d|true$|false$|null$)/.test(inner)) return text;
  try {
    const value = JSON.parse(inner) as JsonValue;
    return typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value) ? text : value;
  } catch {
    const { value, problems, nesting } = readJson(inner);
    return /^[[{]/.test(inner) && problems.length === 0 && nesting === 'sure' && typeof value === 'object' && value
      ? value
      : text;
  }
}
