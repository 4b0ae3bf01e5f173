import type { Path } from '../../../json/value.ts';
import type { SchemaObject, TypeName } from '../../../schema/types.ts';
import { makeNullable } from './nullable.ts';
import type { Lowering } from './state.ts';

/** Keywords that don't constrain values. They stay on the schema when its parts are rewritten. */
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

/** A schema that accepts any value, as far as the target allows. */
export function anything(path: Path, to: Lowering): SchemaObject {
  if (!to.rules.typed) return {};
  to.changes.push({ path, word: 'type', kind: 'rewritten', why: 'every schema needs a type, so all types are listed' });
  // Nested lists, and objects with undeclared keys in strict mode, can't be listed.
  to.covers = false;
  const plain: TypeName[] = ['string', 'number', 'boolean'];
  if (to.rules.closed) return { anyOf: [...plain, 'null' as const].map((type) => ({ type })) };
  const forms = [...plain, 'object' as const].map((type) => ({ type }));
  const items = makeNullable({ anyOf: forms }, to.rules);
  return makeNullable({ anyOf: [...forms, { type: 'array', items }] }, to.rules);
}
