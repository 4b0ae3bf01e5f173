import { equal } from '../../json/equal.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/json-schema.ts';
import { typesIn } from './types-in.ts';

type Join = (a: unknown, b: unknown) => unknown;

const larger: Join = (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : undefined);
const smaller: Join = (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : undefined);
const both: Join = (a, b) => ({ allOf: [a as JsonSchema, b as JsonSchema] });

const types: Join = (a, b) => {
  const [one, other] = [typesIn({ type: a } as SchemaObject), typesIn({ type: b } as SchemaObject)];
  if (!one || !other) return one ? a : b;
  const shared = [
    ...one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number'))),
    ...other.filter((type) => type === 'integer' && one.includes('number') && !one.includes('integer')),
  ];
  return shared.length === 0 ? undefined : shared.length === 1 ? shared[0] : shared;
};

const byKey: Join = (a, b) => {
  if (!isObject(a) || !isObject(b)) return undefined;
  const shared = Object.entries(b).map(([key, sub]) => [key, hasOwn(a, key) ? both(a[key], sub) : sub]);
  return { ...a, ...Object.fromEntries(shared) };
};

const inOrder: Join = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const longer = a.length >= b.length ? a : b;
  return longer.map((_, i) => (i < a.length && i < b.length ? both(a[i], b[i]) : longer[i]));
};

const all: Join = (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : undefined);

const members: Join = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const shared = a.filter((one) => b.some((other) => equal(one, other)));
  return shared.length > 0 ? shared : undefined;
};

/** Other keys may stand where one of the two allows them not: the other's declared keys are declared in both now. */
const otherKeys: Join = (a, b) => (a === false || b === false ? false : a === true ? b : b === true ? a : both(a, b));

const first: Join = (a) => a;
const sentences: Join = (a, b) => (a === b || !b ? a : a ? `${a} ${b}` : b);

/** How two words of one name become one that asks for both, or less; nothing where that can't be said in one. */
const joins: Readonly<Record<string, Join>> = {
  type: types,
  properties: byKey,
  required: all,
  additionalProperties: otherKeys,
  items: (a, b) => (Array.isArray(a) || Array.isArray(b) ? undefined : both(a, b)),
  prefixItems: inOrder,
  enum: members,
  ...{ minimum: larger, exclusiveMinimum: larger, minLength: larger, minItems: larger, minProperties: larger },
  ...{ maximum: smaller, exclusiveMaximum: smaller, maxLength: smaller, maxItems: smaller, maxProperties: smaller },
  description: sentences,
  ...{ title: first, default: first, examples: first, $schema: first, $id: first, $comment: first, $defs: first },
  definitions: first,
};

/**
 * Two schemas of the same value as one that takes whatever both take. What can't be laid together stays as the first has
 * it, and the second's word is given to `left`.
 */
export function mergeSchemas(
  a: SchemaObject,
  b: SchemaObject,
  left: (word: string, held: unknown) => void,
): SchemaObject {
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [word, held] of Object.entries(b)) {
    const known = merged.get(word);
    if (!merged.has(word)) merged.set(word, held);
    else if (!equal(known, held)) {
      const joined = hasOwn(joins, word) ? joins[word]?.(known, held) : undefined;
      if (joined === undefined) left(word, held);
      else merged.set(word, joined);
    }
  }
  return Object.fromEntries(merged) as SchemaObject;
}
