import { isObject } from '../json/value.ts';
import { besideUnion } from './coerce/branches.ts';
import type { JsonSchema, SchemaObject } from './types.ts';
import { Refs, subschemas } from './validate/refs.ts';

/** Combinations of forms that a schema may have in all: `allOf` of ten unions of two forms has 1024. */
export const mostForms = 1000;

/**
 * Whether the unions of a schema, where several bear on one value, combine to more forms than can be tried. Each schema
 * is counted once, so that towers of references cost no more than their text.
 */
export function hasTooManyForms(root: JsonSchema): boolean {
  const refs = new Refs(root);
  const known = new Map<unknown, number>();
  let all = 0;

  const part = (schema: unknown): number => known.get(schema) ?? 1;
  const sum = (forms: unknown): number =>
    Array.isArray(forms) && forms.length > 0 ? forms.reduce((total: number, form) => total + part(form), 0) : 1;

  const count = (schema: SchemaObject): number => {
    const target = typeof schema.$ref === 'string' ? part(refs.target(schema.$ref, schema)) : 1;
    const types = Array.isArray(schema.type) ? Math.max(1, schema.type.length) : 1;
    const several = [sum(schema.anyOf), sum(schema.oneOf), target, types, schema.nullable === true ? 2 : 1];
    for (const one of Array.isArray(schema.allOf) ? schema.allOf : []) several.push(part(one));
    const combined = several.filter((one) => one > 1);
    const forms = combined.reduce((product, one) => Math.min(product * one, mostForms + 1), 1);
    // A union that stands alone is tried form by form; others are combined with what stands beside them.
    const alone = combined.length < 2 && Object.keys(schema).every((word) => unions.has(word) || besideUnion.has(word));
    const written = [schema.anyOf, schema.oneOf, schema.type].reduce(
      (total: number, held) => total + (Array.isArray(held) ? held.length : 0),
      2,
    );
    if (!alone && forms > written) all += forms;
    return forms;
  };

  for (const schema of fromLeaves(root, refs)) {
    known.set(schema, count(schema));
    if (all > mostForms) return true;
  }
  return false;
}

const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', '$ref']);

/** Every schema of a document, those that judge the same value before the schema they stand in; cycles are cut. */
function* fromLeaves(root: JsonSchema, refs: Refs): Generator<SchemaObject> {
  const seen = new Set<unknown>();
  const open: { readonly schema: SchemaObject; readonly inner: Iterator<unknown> }[] = [];
  const enter = (schema: unknown) => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    open.push({ schema, inner: inside(schema, refs) });
  };
  enter(root);
  for (let here = open.at(-1); here; here = open.at(-1)) {
    const next = here.inner.next();
    if (!next.done) enter(next.value);
    else {
      open.pop();
      yield here.schema;
    }
  }
}

function* inside(schema: SchemaObject, refs: Refs): Generator<unknown> {
  for (const [held] of subschemas(schema)) yield held;
  if (typeof schema.$ref === 'string') yield refs.target(schema.$ref, schema);
}
