import { foldName } from '../../tools/name-index.ts';

/** A tool or prompt of a server. */
export interface Named {
  readonly server: string;
  readonly own: string;
  /** Its name in the configuration, if set. */
  readonly wanted?: string | undefined;
  /** Whether it is accepted. A tool that isn't never changes the name of another. */
  readonly accepted?: boolean | undefined;
}

/** A name that a tool or prompt was exposed under. */
export interface StoredName {
  readonly server: string;
  readonly own: string;
  readonly name: string;
}

/** Names that were exposed earlier, which stay with their tools or prompts. */
export interface NameMemory {
  readonly given: readonly StoredName[];
  keep(names: readonly StoredName[]): void;
}

interface NameOptions {
  readonly given?: readonly StoredName[] | undefined;
  /** All configured servers. A name that starts with a server and `__` is reserved for that server. */
  readonly servers?: readonly string[] | undefined;
}

const idOf = ({ server, own }: Pick<Named, 'server' | 'own'>): string => JSON.stringify([server, own]);
const prefixed = ({ server, own }: Pick<Named, 'server' | 'own'>): string => `${server}__${own}`;

/**
 * Assigns exposed names. Configured names are used unchanged, and names that were exposed earlier stay as they are,
 * even if their tool isn't listed now. Other names that several servers share get the server's name as prefix. The
 * order of the servers has no effect on the names.
 */
export function exposedNames<T extends Named>(all: readonly T[], options: NameOptions = {}): Map<string, T> {
  const servers = options.servers ?? [...new Set(all.map(({ server }) => server))];
  const given = (options.given ?? []).filter(({ server }) => servers.includes(server));
  const before = new Map(given.map((one) => [idOf(one), one.name]));
  const owners = new Map<string, string>();
  const names = new Map<string, string>();
  const claim = (one: Named, name: string): boolean => {
    const owner = owners.get(foldName(name));
    if (owner !== undefined && owner !== idOf(one)) return false;
    owners.set(foldName(name), idOf(one));
    names.set(idOf(one), name);
    return true;
  };

  const sorted = [...new Map(all.map((one) => [idOf(one), one])).values()].sort(byIdentity);
  for (const one of sorted) if (one.wanted !== undefined) claim(one, one.wanted);
  for (const { name, ...one } of given) if (!owners.has(foldName(name))) owners.set(foldName(name), idOf(one));
  for (const one of sorted) {
    const name = before.get(idOf(one));
    if (name !== undefined && one.wanted === undefined) claim(one, name);
  }
  const isAccepted = ({ accepted }: Named): boolean => accepted !== false;
  for (const group of [sorted.filter(isAccepted), sorted]) {
    const isShared = sharedNames(group, servers);
    const unnamed = group.filter((one) => !names.has(idOf(one)));
    for (const one of unnamed) if (one.wanted !== undefined || isShared(one)) claimNumbered(one, claim);
    for (const one of unnamed) if (!names.has(idOf(one)) && !claim(one, one.own)) claimNumbered(one, claim);
  }
  // Configured names come first.
  const ordered = [...all].sort((a, b) => Number(b.wanted !== undefined) - Number(a.wanted !== undefined));
  return new Map(
    ordered.flatMap((one) => {
      const name = names.get(idOf(one));
      return name === undefined ? [] : [[name, one] as const];
    }),
  );
}

const byIdentity = (a: Named, b: Named): number => (idOf(a) < idOf(b) ? -1 : 1);

/** Whether a name needs a prefix: another server has a similar name, or the name belongs to another server. */
function sharedNames(all: readonly Named[], servers: readonly string[]): (one: Named) => boolean {
  const alike = new Map<string, Set<string>>();
  const add = (name: string, server: string): unknown =>
    alike.set(foldName(name), (alike.get(foldName(name)) ?? new Set()).add(server));
  for (const one of all) {
    add(one.wanted ?? one.own, one.server);
    if (one.wanted === undefined) add(prefixed(one), one.server);
  }
  const spaces = new Set(servers.map(foldName));
  return ({ own, server }) => {
    const [space = '', ...rest] = own.split('__');
    if (rest.length > 0 && foldName(space) !== foldName(server) && spaces.has(foldName(space))) return true;
    return [...(alike.get(foldName(own)) ?? [])].some((other) => other !== server);
  };
}

/** Assigns the name with its server, with a number if that is taken. */
function claimNumbered(one: Named, claim: (one: Named, name: string) => boolean): void {
  for (let number = 1; !claim(one, number === 1 ? prefixed(one) : `${prefixed(one)}_${number}`); number += 1);
}

/** Further names that rules may use for a tool: those it has without or with a conflict, and its identity. */
export function otherNames(exposed: string, one: Named): string[] {
  const names = new Set([one.wanted ?? one.own, prefixed(one), `${one.server}/${one.own}`]);
  names.delete(exposed);
  return [...names];
}

/** The configured name of a tool or prompt. */
export function wantedName(
  own: string,
  { rename = {}, prefix }: { readonly rename?: Readonly<Record<string, string>>; readonly prefix?: string },
): string | undefined {
  if (Object.hasOwn(rename, own)) return rename[own];
  return prefix === undefined || prefix === '' ? undefined : `${prefix}${own}`;
}
