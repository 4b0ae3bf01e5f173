import { foldMember } from './fold.ts';

/** The one allowed value equal to this but for case, spaces, `_` and `-`. */
export function memberLike(value: unknown, members: readonly unknown[]): { readonly member: unknown } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const wanted = foldMember(String(value));
  if (wanted === '') return undefined;
  const found = members.filter(
    (member) => member !== null && typeof member !== 'object' && foldMember(String(member)) === wanted,
  );
  return found.length === 1 ? { member: found[0] } : undefined;
}
