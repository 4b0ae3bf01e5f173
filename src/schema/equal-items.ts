import { isObject } from '../json/value.ts';

/** One text for all equal values, so that a set can find them. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
};

/** The places of the first two equal items of a list, found in one pass. */
export const equalItems = (list: readonly unknown[]): readonly [number, number] | undefined => {
  const scalars = new Map<unknown, number>();
  const composed = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const deep = typeof item === 'object' && item !== null;
    const key = deep ? canonical(item) : item;
    const seen: Map<unknown, number> = deep ? composed : scalars;
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
};
