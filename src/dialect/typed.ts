import { readJson } from '../json/json.ts';
import type { Marks } from '../json/marks.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { coerce } from '../schema/coerce.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';

/**
 * Gives values that came without types, from tags or Python, the types their schema names. That is reading, not
 * repair: a value that may be a string stays as it is written, and one that fits nothing is left for the check.
 */
export function giveTypes(values: JsonObject, schema: JsonSchema | undefined, marks?: Marks): JsonObject {
  if (!isObject(schema)) return values;
  const root = schema as SchemaObject;
  const typed: JsonObject = {};
  for (const [key, value] of Object.entries(values)) {
    const given = giveType(value, propertyOf(root, key), root, marks, marks?.get(values, key));
    // Defined and not assigned, so that a forbidden key is seen and refused.
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
): JsonValue {
  if (property === undefined) return value;
  if (typeof value === 'string') {
    const allowed = typesOf(property, root);
    if (value.trim() === 'null' && allowed.has('null')) return null;
    if (allowed.has('string')) return value;
  }
  const held: SchemaObject = { ...defsOf(root), type: 'object', properties: { value: property } };
  const given = { value };
  if (mark) marks?.set(given, 'value', mark);
  const { value: made, problems } = coerce(given, held, { marks });
  return problems.length === 0 && isObject(made) && made.value !== undefined ? (made.value as JsonValue) : value;
}

/** Definitions that references may name. */
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

const anything = new Set(['string', 'null', 'any']);

/** The types a schema allows, as far as text is concerned; a schema that says nothing allows all. */
function typesOf(schema: JsonSchema, root: SchemaObject, depth = 0): ReadonlySet<string> {
  if (!isObject(schema) || depth > 16) return anything;
  const node = schema as SchemaObject;
  if (node.type !== undefined)
    return new Set([node.type, ...(node.nullable === true ? ['null'] : [])].flat() as string[]);
  if (typeof node.$ref === 'string') {
    const target = node.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (at, step) => (isObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        root,
      );
    return target === undefined ? anything : typesOf(target as JsonSchema, root, depth + 1);
  }
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values) return new Set((values as unknown[]).map((value) => (value === null ? 'null' : typeof value)));
  const forms = [...(node.anyOf ?? []), ...(node.oneOf ?? [])] as JsonSchema[];
  if (forms.length > 0) return new Set(forms.flatMap((form) => [...typesOf(form, root, depth + 1)]));
  const parts = (node.allOf ?? []) as JsonSchema[];
  return parts.length > 0 ? typesOf(parts[0] as JsonSchema, root, depth + 1) : anything;
}

/** The value that tagged text most plainly is, where no schema says it: a JSON literal, else the text. */
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
