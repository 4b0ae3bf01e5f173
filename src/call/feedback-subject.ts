import type { Path } from '../json/value.ts';

const irregular: Readonly<Record<string, string>> = {
  children: 'child',
  people: 'person',
  men: 'man',
  women: 'woman',
  indices: 'index',
  vertices: 'vertex',
  matrices: 'matrix',
  criteria: 'criterion',
  movies: 'movie',
  cookies: 'cookie',
  aliases: 'alias',
  statuses: 'status',
  buses: 'bus',
  caches: 'cache',
  series: 'series',
};

const endings: readonly (readonly [RegExp, string])[] = [
  [/([^aeiou])ies$/i, '$1y'],
  [/(ss|sh|ch|x|zz)es$/i, '$1'],
  [/([^sui])s$/i, '$1'],
];

/** One of a list by the list's name: `edits` → `edit`; undefined where the name is no plural. */
export function singular(name: string): string | undefined {
  const word = /[A-Z]?[a-z]+$/.exec(name)?.[0] ?? '';
  const known = Object.hasOwn(irregular, word.toLowerCase()) ? irregular[word.toLowerCase()] : undefined;
  if (known) return name.slice(0, name.length - word.length) + word.charAt(0) + known.slice(1);
  const ending = endings.find(([pattern]) => pattern.test(name));
  return ending && name.replace(ending[0], ending[1]);
}

/** A path without its indexes, so that the same fault in several items has one name. */
export const general = (path: Path): string => path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.');

/**
 * Where a fault is, in words: `field` within its nearest list and `each`, that list's item.
 * `edits.0.path` is `{ field: 'path', each: 'each edit' }`.
 */
export function subject(path: Path): { readonly field: string; readonly each: string | undefined } {
  const last = path.findLastIndex((step) => typeof step === 'number');
  const field = path.slice(last + 1).join('.');
  return { field, each: last < 0 ? undefined : eachOf(path.slice(0, last)) };
}

function eachOf(list: Path): string {
  const name = list.findLast((step) => typeof step === 'string');
  if (name === undefined) return 'each item';
  const inner = list.at(-1) === name ? singular(String(name)) : undefined;
  return inner ? `each ${inner}` : `each item of '${name}'`;
}
