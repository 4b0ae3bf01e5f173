import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** The service's own names of JSON types. */
const upper = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);

/** Words that hold one schema, a list of them, or schemas by name. */
const within: Readonly<Record<string, 'one' | 'list' | 'named'>> = {
  items: 'one',
  additionalProperties: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  prefixItems: 'list',
  properties: 'named',
  $defs: 'named',
  defs: 'named',
};

/** Deeper schemas stay as they are, so that no schema can overflow the stack. */
const deepest = 200;

/** The service's own form of a schema with the type names of JSON Schema; the very same object where it has them already. */
export function jsonTypes(schema: JsonValue, depth = 0): JsonValue {
  if (!isObject(schema) || depth > deepest) return schema;
  let whole: JsonObject = schema;
  for (const [word, value] of Object.entries(schema)) {
    const read = word === 'type' ? typeName(value) : inner(within[word], value, depth + 1);
    if (read !== value) whole = { ...whole, [word]: read };
  }
  return whole;
}

const typeName = (value: JsonValue): JsonValue =>
  typeof value === 'string' && upper.has(value) ? value.toLowerCase() : value;

function inner(kind: 'one' | 'list' | 'named' | undefined, value: JsonValue, depth: number): JsonValue {
  if (kind === 'one') return jsonTypes(value, depth);
  if (kind === 'list' && Array.isArray(value))
    return same(
      value,
      value.map((item) => jsonTypes(item, depth)),
    );
  if (kind !== 'named' || !isObject(value)) return value;
  const named = Object.entries(value).map(([name, one]) => [name, jsonTypes(one, depth)] as const);
  return named.every(([name, one]) => one === value[name]) ? value : Object.fromEntries(named);
}

const same = (before: JsonValue[], after: JsonValue[]): JsonValue[] =>
  after.every((item, index) => item === before[index]) ? before : after;
