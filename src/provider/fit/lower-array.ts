import type { Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/json-schema.ts';
import { describeWord } from './describe-word.ts';
import { tell } from './flatten.ts';
import { type Lowered, nothing } from './lowered.ts';
import type { Lowering } from './lowering.ts';

/** What a schema says of a list's items, each or one by one. */
export function lowerArray(flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const { prefixItems: prefix, items } = flat;
  // A list of schemas was put under prefixItems before.
  const rest = items as JsonSchema | undefined;
  if (Array.isArray(prefix) && prefix.length > 0) return lowerTuple(flat, prefix, rest, at, to);
  if (rest === undefined) return unsaid(at, to);
  if (rest === false && !to.rules.open) {
    tell(to, at, 'items', 'rewritten', 'a list without items is said with maxItems');
    return { words: { ...unsaid(at, to).words, maxItems: 0 }, said: ['No items.'] };
  }
  if (typeof rest === 'boolean' && to.rules.open) return { words: { items: rest }, said: [] };
  return { words: { items: to.lower(rest, [...at, 'items']) }, said: [] };
}

function unsaid(at: Path, to: Lowering): Lowered {
  if (to.rules.properties === 'as given') return nothing;
  tell(to, at, 'items', 'rewritten', 'a list must say what its items are');
  return { words: { items: to.lower({}, [...at, 'items']) }, said: [] };
}

/** Items that each have a schema of their own; where that can't be said, every item may be any of them. */
function lowerTuple(
  flat: SchemaObject,
  prefix: readonly JsonSchema[],
  rest: JsonSchema | undefined,
  at: Path,
  to: Lowering,
): Lowered {
  const forms = prefix.map((schema, index) => to.lower(schema, [...at, 'prefixItems', index]));
  if (to.rules.words.has('prefixItems')) {
    if (rest === undefined) return { words: { prefixItems: forms }, said: [] };
    const items = typeof rest === 'boolean' ? rest : to.lower(rest, [...at, 'items']);
    return { words: { prefixItems: forms, items }, said: [] };
  }
  tell(to, at, 'prefixItems', 'described', 'the word is refused; each item may be any of them');
  const said = [describeWord('prefixItems', prefix) ?? ''];
  const others = rest === false ? [] : [rest ?? {}];
  const items = to.lower({ anyOf: [...prefix, ...others] }, [...at, 'items']);
  const most = Math.min(prefix.length, flat.maxItems ?? prefix.length);
  const limit = rest !== false ? {} : to.rules.words.has('maxItems') ? { maxItems: most } : undefined;
  if (limit === undefined) said.push(describeWord('maxItems', most) ?? '');
  return { words: { items, ...limit }, said };
}
