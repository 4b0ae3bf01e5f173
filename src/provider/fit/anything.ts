import type { Path } from '../../json/value.ts';
import type { SchemaObject, TypeName } from '../../schema/json-schema.ts';
import type { Lowering } from './lowering.ts';
import { makeNullable } from './make-nullable.ts';

/** A schema that takes any value, or as many as the target lets it. */
export function anything(path: Path, to: Lowering): SchemaObject {
  if (!to.rules.typed) return {};
  to.changes.push({ path, word: 'type', kind: 'rewritten', why: 'every schema must say its type, so all are listed' });
  // Lists of lists, and in strict modes objects whose keys nobody declared, are more than can be listed.
  to.covers = false;
  const plain: TypeName[] = ['string', 'number', 'boolean'];
  if (to.rules.closed) return { anyOf: [...plain, 'null' as const].map((type) => ({ type })) };
  const forms = [...plain, 'object' as const].map((type) => ({ type }));
  const items = makeNullable({ anyOf: forms }, to.rules);
  return makeNullable({ anyOf: [...forms, { type: 'array', items }] }, to.rules);
}
