import { foldMember } from './fold.ts';

/** The one allowed value equal to this but for case, spaces, `_` and `-`. */
export function memberLike(value: unknown, members: readonly unknown[]): { readonly member: unknown } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const wanted = foldMember(String(value));
  if (wanted === '') return undefined;
  const found = foldedMembers(members).get(wanted) ?? [];
  return found.length === 1 ? { member: found[0] } : undefined;
}

const indexes = new WeakMap<readonly unknown[], ReadonlyMap<string, readonly unknown[]>>();

/** Allowed values by what is left of them folded; made once, because a list may ask for each of its items. */
function foldedMembers(members: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const known = indexes.get(members);
  if (known) return known;
  const index = new Map<string, unknown[]>();
  for (const member of members) {
    if (member === null || typeof member === 'object') continue;
    const folded = foldMember(String(member));
    const same = index.get(folded);
    if (same) same.push(member);
    else index.set(folded, [member]);
  }
  indexes.set(members, index);
  return index;
}
