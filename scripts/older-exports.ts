import { posix } from 'node:path';

/** Reads a file of a source tree. Undefined if there is none. */
export type ReadSource = (file: string) => string | undefined;

/** What was moved or renamed since an older commit, where the names don't show it. */
export interface Moved {
  /** Current `file#name`: older `file#name`, or null if something else had that name. */
  readonly exports: Readonly<Record<string, string | null>>;
  /** Older `file#name` of a function or class: for each of its arguments, the older names of its options. */
  readonly options: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  /** Older `file#name` of a function: the method that does today what it did when it was called. */
  readonly methods: Readonly<Record<string, string>>;
  /** Older `file#name` of a class: its current getters, with their older names. */
  readonly getters: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Current test file: older test file. */
  readonly tests: Readonly<Record<string, string>>;
  /** Test file: parts of the titles of older tests that were reworded. */
  readonly reworded: Readonly<Record<string, readonly string[]>>;
}

/**
 * The table without what an older commit's own table already lists: that was moved before the commit, so the names in it are
 * those of today. Maps of names are compared entry by entry.
 */
export function movedSince(moved: Moved, older: Partial<Moved> | undefined): Moved {
  const since = <T>(now: Readonly<Record<string, T>>, then: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(
      Object.entries(now).filter(
        ([key, value]) => !Object.hasOwn(then, key) || JSON.stringify(then[key]) !== JSON.stringify(value),
      ),
    );
  return {
    exports: since(moved.exports, older?.exports),
    options: since(moved.options, older?.options),
    methods: since(moved.methods, older?.methods),
    getters: since(moved.getters, older?.getters),
    tests: since(moved.tests, older?.tests),
    reworded: since(moved.reworded, older?.reworded),
  };
}

const declarations = /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/gm;
const lists = /^export \{([^}]*)\}/gm;
const stars = /^export \* from '([^']+)'/gm;

/** The values that a module declares and exports, without types. */
export const declaredIn = (text: string): string[] => [...text.matchAll(declarations)].map(([, name = '']) => name);

/** The values that a module exports, including re-exports. */
export function exportsOf(file: string, read: ReadSource): string[] {
  const text = read(file) ?? '';
  const listed = [...text.matchAll(lists)]
    .flatMap(([, list = '']) => list.split(',').map((item) => item.trim()))
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => item.split(' as ').at(-1) ?? item);
  const others = [...text.matchAll(stars)].flatMap(([, from = '']) =>
    exportsOf(posix.join(posix.dirname(file), from), read),
  );
  const byDefault = /^export default /m.test(text) ? ['default'] : [];
  return [...new Set([...declaredIn(text), ...listed, ...others, ...byDefault])];
}

/** The files that declare each name. */
export function declarersOf(files: readonly string[], read: ReadSource): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files)
    for (const name of declaredIn(read(file) ?? '')) found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

/**
 * Finds the older place of an export, as `file#name`: from the table, then the same name in the same file, then the only
 * file that declared it. Undefined if it did not exist.
 */
export function olderExport(
  file: string,
  name: string,
  declarers: ReadonlyMap<string, readonly string[]>,
  { exports }: Moved,
): string | undefined {
  const known = exports[`${file}#${name}`];
  if (known !== undefined) return known ?? undefined;
  const files = declarers.get(name) ?? [];
  const [first] = files.includes(file) ? [file] : files.length === 1 ? files : [];
  return first === undefined ? undefined : `${first}#${name}`;
}
