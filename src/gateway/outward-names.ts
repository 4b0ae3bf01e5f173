import { foldName } from '../tool/fold-name.ts';

/** Something a server offers under a name of its own. */
export interface Named {
  readonly server: string;
  readonly own: string;
  /** What it is called by configuration, where anything was said. */
  readonly wanted?: string | undefined;
}

/**
 * The names clients see. Each keeps its own; where names of several servers are alike, those bear their server's name in
 * front. What a configuration says is taken as it is. Of two that are still alike the first counts.
 */
export function outwardNames<T extends Named>(all: readonly T[]): Map<string, T> {
  const alike = new Map<string, Set<string>>();
  for (const one of all) {
    const folded = foldName(one.wanted ?? one.own);
    alike.set(folded, (alike.get(folded) ?? new Set()).add(one.server));
  }
  const names = new Map<string, T>();
  const taken = new Set<string>();
  // What somebody chose goes first.
  for (const one of [...all].sort((a, b) => Number(b.wanted !== undefined) - Number(a.wanted !== undefined))) {
    const shared = (alike.get(foldName(one.own))?.size ?? 0) > 1;
    const name = one.wanted ?? (shared ? `${one.server}__${one.own}` : one.own);
    if (taken.has(foldName(name))) continue;
    taken.add(foldName(name));
    names.set(name, one);
  }
  return names;
}

/** What a configuration calls something of a server's. */
export function wantedName(
  own: string,
  { rename = {}, prefix }: { readonly rename?: Readonly<Record<string, string>>; readonly prefix?: string },
): string | undefined {
  if (Object.hasOwn(rename, own)) return rename[own];
  return prefix === undefined || prefix === '' ? undefined : `${prefix}${own}`;
}
