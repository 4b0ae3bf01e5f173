import { isObject } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/types.ts';
import type { Refs } from '../../schema/validate/refs.ts';
import { inPlace } from './schema-walk.ts';

/** The names a schema declares for its properties; `any` where a pattern may declare them. */
export type DeclaredNames = (schema: SchemaObject) => (ReadonlySet<unknown> & Iterable<string>) | 'any';

/** Collects declared names, also those of the branches and references that describe the same value. Each is read once. */
export function declaredNames(refs: Refs): DeclaredNames {
  const known = new Map<SchemaObject, Set<string> | 'any'>();
  return (schema) => {
    const names = known.get(schema) ?? collect(schema, refs);
    known.set(schema, names);
    return names;
  };
}

function collect(schema: SchemaObject, refs: Refs): Set<string> | 'any' {
  const names = new Set<string>();
  const open = new Set<SchemaObject>([schema]);
  for (const one of open) {
    if (isObject(one.patternProperties)) return 'any';
    if (isObject(one.properties)) for (const name of Object.keys(one.properties)) names.add(name);
    for (const next of inPlace(one, refs)) open.add(next);
  }
  return names;
}
