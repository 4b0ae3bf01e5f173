import type { Path } from '../../../json/value.ts';
import type { SchemaObject, TypeName } from '../../../schema/types.ts';
import { makeNullable } from './nullable.ts';
import type { Lowering } from './state.ts';

/** Words that hold a schema to nothing: they stand on the whole, whatever becomes of its parts. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  '$defs',
  'definitions',
]);

/** A schema that takes any value, or as many as the target lets it. */
export function anything(path: Path, to: Lowering): SchemaObject {
  if (!to.rules.typed) return {};
  to.changes.push({ path, word: 'type', kind: 'rewritten', why: 'every schema needs a type, so all types are listed' });
  // Lists of lists, and in strict modes objects whose keys nobody declared, are more than can be listed.
  to.covers = false;
  const plain: TypeName[] = ['string', 'number', 'boolean'];
  if (to.rules.closed) return { anyOf: [...plain, 'null' as const].map((type) => ({ type })) };
  const forms = [...plain, 'object' as const].map((type) => ({ type }));
  const items = makeNullable({ anyOf: forms }, to.rules);
  return makeNullable({ anyOf: [...forms, { type: 'array', items }] }, to.rules);
}
