import { isObject, type Path } from '../../../json/value.ts';
import type { SchemaObject, TypeName } from '../../../schema/types.ts';
import { annotations, anything } from './annotations.ts';
import { flatten, recordChange, schemaStub } from './flatten.ts';
import { lowerKeywords } from './keywords.ts';
import { makeNullable } from './nullable.ts';
import { deepest, type Lowering } from './state.ts';
import { concerns, isOfTypes, meantTypes } from './types-in.ts';
import { lowerUnion } from './union.ts';

/** Lowers a schema with everything in it. */
export function lowerNode(given: unknown, at: Path, to: Lowering): SchemaObject {
  const kept = isObject(given) && to.rules.refs === 'kept' ? keepRef(given as SchemaObject, at, to) : undefined;
  if (kept) return kept;
  if (given === true) recordChange(to, at, 'true', 'rewritten', 'it is written as an empty schema');
  const followed = new Set<SchemaObject>();
  const flat = flatten(given, at, to, followed);
  if (flat === false) {
    recordChange(to, at, 'false', 'described', 'a schema that accepts nothing can only be described');
    return { ...anything(at, to), description: 'No value is allowed here.' };
  }
  return lowerFlat(flat, followed, at, to);
}

/** Lowers a flattened schema. Its references are not inlined again within it. */
export function lowerFlat(
  flat: SchemaObject,
  followed: ReadonlySet<SchemaObject>,
  at: Path,
  to: Lowering,
): SchemaObject {
  if (to.room.nodes <= 0 || at.length > 2 * deepest || isTooDeep(flat, at, to)) {
    recordChange(to, at, 'schema', 'described', 'the schema is too large or too deep');
    return rest(flat, at, to);
  }
  const entered = [...followed].filter((target) => !to.within.has(target));
  for (const target of entered) to.within.add(target);
  try {
    return choose(flat, at, to);
  } finally {
    for (const target of entered) to.within.delete(target);
  }
}

/** Number of objects and lists around a path, including itself. */
function levels(at: Path): number {
  let count = 1;
  for (let i = 0; i < at.length; i++) {
    const word = at[i];
    if (word === 'properties' || word === 'prefixItems' || word === 'items' || word === 'additionalProperties') count++;
    // Skips the key or index after these keywords.
    if (word !== 'items' && word !== 'additionalProperties') i++;
  }
  return count;
}

const isTooDeep = (flat: SchemaObject, at: Path, { rules }: Lowering): boolean =>
  rules.most !== undefined && ('properties' in flat || 'items' in flat) && levels(at) > rules.most.depth;

/** Reduces a schema that is nested too deeply to its type and description. */
function rest(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { description, ...cutOff } = schemaStub('', flat, to);
  const told = flat.description ?? 'Nested too deeply to describe.';
  return choose(
    {
      ...cutOff,
      ...(description && { description: told }),
      ...(cutOff.type === 'array' && { items: { type: 'string' } }),
    },
    at,
    to,
  );
}

function choose(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { rules } = to;
  for (const word of ['anyOf', 'oneOf'] as const) {
    const forms = flat[word];
    if (!rules.bare || !Array.isArray(forms)) continue;
    if (word === 'oneOf') recordChange(to, at, word, 'rewritten', 'expressed with anyOf');
    const { [word]: _, ...beside } = flat;
    return lowerUnion(beside, forms, [...at, word], to);
  }
  const types = meantTypes(flat);
  if (types === undefined) return rules.typed ? anyValue(flat, at, to) : lowerKeywords(flat, at, to);
  if (!rules.open && flat.type === undefined) recordChange(to, at, 'type', 'rewritten', 'every schema needs a type');
  const solid = types.filter((type) => type !== 'null' && (type !== 'integer' || !types.includes('number')));
  if (!rules.typeLists && solid.length > 1) return byType(flat, types, at, to);
  if (rules.open) return lowerKeywords(flat, at, to);
  if (solid.length === 0) return lowerNull(flat, at, to);
  const [only] = solid;
  const type = solid.length === 1 && only ? only : solid;
  const members = Array.isArray(flat.enum) && { enum: flat.enum.filter((value) => value !== null) };
  const lowered = lowerKeywords({ ...flat, type, ...members }, at, to);
  if (!types.includes('null')) return lowered;
  const whole = makeNullable(lowered, to.rules);
  if (whole.type === undefined && flat.type !== undefined)
    recordChange(to, at, 'type', 'rewritten', 'null becomes a separate form');
  return whole;
}

/** Replaces a list of types with a union. Each form gets the keywords that apply to its type. */
function byType(flat: SchemaObject, types: readonly TypeName[], at: Path, to: Lowering): SchemaObject {
  recordChange(to, at, 'type', 'rewritten', 'several types are expressed with anyOf');
  const forms = types.map((type) => {
    const words = Object.entries(flat).filter(([word]) => concerns(word, type) && !annotations.has(word));
    const form = { ...Object.fromEntries(words), type } as SchemaObject;
    if (Array.isArray(form.enum)) form.enum = form.enum.filter((one) => isOfTypes(one, [type]));
    if (type !== 'string') delete form.format;
    return form;
  });
  const outer = Object.fromEntries(Object.entries(flat).filter(([word]) => annotations.has(word)));
  return lowerUnion(outer, forms, [...at, 'type'], to);
}

/** Lowers a schema that only accepts null. */
function lowerNull(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { enum: members = [], const: _, ...rest } = flat;
  if (members.some((value) => value !== null)) recordChange(to, at, 'enum', 'dropped', 'only null is of type null');
  if (!to.rules.words.has('nullable')) return lowerKeywords({ ...rest, type: 'null' }, at, to);
  recordChange(to, at, 'type', 'rewritten', 'null is expressed with nullable');
  return makeNullable(lowerKeywords({ ...rest, type: 'string' }, at, to), to.rules);
}

/** Lowers a schema that accepts any value for targets that require a type. */
function anyValue(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { type: _, ...rest } = flat;
  const told = lowerKeywords(rest, at, to);
  return { ...told, ...anything(at, to) };
}

/**
 * Keeps a schema that consists of a reference, pointing it to a definition of the lowered root. Returns undefined if it
 * has other constraints, or if its target must be inlined.
 */
function keepRef(given: SchemaObject, at: Path, to: Lowering): SchemaObject | undefined {
  const { $ref, ...beside } = given;
  if (typeof $ref !== 'string') return undefined;
  const words = Object.keys(beside);
  if (words.some((word) => !annotations.has(word))) return undefined;
  const target = endOf(given, to);
  if (!isObject(target)) return undefined;
  const pointer = target === to.root ? '#' : `#/$defs/${escaped(nameOf($ref, target as SchemaObject, to))}`;
  if (pointer !== $ref) recordChange(to, at, '$ref', 'rewritten', 'it now points to a definition at the root');
  const kept = annotationsOf(beside, at, to);
  if (Object.keys(kept).length === 0) return { $ref: pointer };
  if (!to.rules.bare) return { $ref: pointer, ...kept };
  recordChange(to, at, '$ref', 'rewritten', 'no other keyword is allowed next to it, so it is wrapped in a union');
  return { anyOf: [{ $ref: pointer }], ...kept };
}

/** The annotations next to a reference, as far as the target accepts them. */
function annotationsOf(beside: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { $defs: _, definitions: __, ...words } = beside;
  return lowerKeywords(words, at, to);
}

/** The end of a chain of plain references; undefined for a cycle. */
function endOf(given: SchemaObject, to: Lowering): unknown {
  const seen = new Set<unknown>([given]);
  let here: unknown = to.refs.target(given.$ref as string, given);
  while (isObject(here) && typeof here.$ref === 'string' && Object.keys(here).length === 1 && !seen.has(here)) {
    seen.add(here);
    here = to.refs.target(here.$ref, here as SchemaObject);
  }
  return seen.has(here) ? undefined : here;
}

/** Name of a definition: the last segment of the pointer, with a number if it is taken. */
function nameOf(ref: string, target: SchemaObject, to: Lowering): string {
  const known = to.definitions.get(target);
  if (known !== undefined) return known;
  const last =
    ref
      .split('/')
      .at(-1)
      ?.replace(/~1/g, '_')
      .replace(/[^\w.-]/g, '_') || 'definition';
  const taken = new Set(to.definitions.values());
  let name = last;
  for (let turn = 2; taken.has(name); turn++) name = `${last}_${turn}`;
  to.definitions.set(target, name);
  return name;
}

const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');
