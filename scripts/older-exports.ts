import { posix } from 'node:path';

/** Reads a file of a source tree; undefined where there is none. */
export type ReadSource = (file: string) => string | undefined;

/** What was moved or renamed since an older commit, as far as names alone don't tell. */
export interface Moved {
  /** `file#name` of today: `file#name` of before, or null where another thing had that name. */
  readonly exports: Readonly<Record<string, string | null>>;
  /** Test file of today: test file of before. */
  readonly tests: Readonly<Record<string, string>>;
  /** Test file: parts of titles of rows that an older table has in other words. */
  readonly reworded: Readonly<Record<string, readonly string[]>>;
}

const declarations = /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/gm;
const lists = /^export \{([^}]*)\}/gm;
const stars = /^export \* from '([^']+)'/gm;

/** The values that a module declares and exports. Types leave nothing at run time. */
export const declaredIn = (text: string): string[] => [...text.matchAll(declarations)].map(([, name = '']) => name);

/** The values that a module exports, its own and those of others. */
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
 * Finds where an export of today stood before, as `file#name`: what the table says; the same name in the same file; else the
 * only file that declared it. Undefined where it did not exist.
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
