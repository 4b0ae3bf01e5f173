import { isObject, type Path } from '../../../json/value.ts';
import type { SchemaObject } from '../../../schema/types.ts';
import { annotations } from './annotations.ts';
import { recordChange } from './flatten.ts';
import { lowerKeywords } from './keywords.ts';
import type { Lowering } from './state.ts';

/**
 * Keeps a schema that consists of a reference, pointing it to a definition of the lowered root. Returns undefined if it
 * has other constraints, or if its target must be inlined.
 */
export function keepRef(given: SchemaObject, at: Path, to: Lowering): SchemaObject | undefined {
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
