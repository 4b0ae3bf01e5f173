import { isObject } from '../json/value.ts';
import { checkerFor } from './compile.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';

type Close = (held: unknown, depth: number) => unknown;

const asIs: Close = (held) => held;
const each: Close = (held, depth) => [held].flat().map((part) => close(part as JsonSchema, depth));
const byKey: Close = (held, depth) =>
  Object.fromEntries(Object.entries(held as object).map(([key, part]) => [own(key), close(part, depth)]));
const one: Close = (held, depth) => (Array.isArray(held) ? each(held, depth) : close(held as JsonSchema, depth));

/**
 * Words under which a schema stays as strong when its parts grow stronger, so that what passes the closed one passes it
 * too, with how each is closed. `oneOf` and `not` are not among them, nor `allOf`, whose parts see each other's keys.
 */
const words = new Map<string, Close>([
  ...'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format'
    .concat(' minItems maxItems uniqueItems title description default examples deprecated readOnly writeOnly')
    .concat(' $schema $comment $ref')
    .split(' ')
    .map((word): [string, Close] => [word, asIs]),
  ['required', (held) => [held].flat().map((key) => own(String(key)))],
  ['anyOf', each],
  ['prefixItems', each],
  ['items', one],
  ['additionalProperties', one],
  ['properties', byKey],
  ['$defs', byKey],
  ['definitions', byKey],
]);

/**
 * One check instead of two for good calls: the schema with every object closed, so that a value that passes has neither
 * problems nor undeclared keys. A schema with other words gets a check that always says no, and the long way is gone.
 */
export function exactly(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const checker = checkerFor(close(schema, 0), { own: false });
    return (value) => checker.passes(value);
  } catch {
    return () => false;
  }
}

function close(schema: JsonSchema, depth: number): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || depth > 32) throw unsuited;
  const closed: SchemaObject = {};
  for (const [word, held] of Object.entries(schema)) {
    const part = words.get(word);
    if (!part) throw unsuited;
    closed[word] = part(held, depth + 1);
  }
  if (Object.keys(closed.properties ?? {}).length > 0) closed.additionalProperties = false;
  return closed;
}

/** Generated code that lets inherited properties count would find these names on every object. */
function own(key: string): string {
  if (key in Object.prototype) throw unsuited;
  return key;
}

const unsuited = new Error('This schema has words that a closed copy would not keep.');
