import { hasOwn, type Path } from '../json/value.ts';

/** The value a path leads to, by own properties alone; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown => {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
};
