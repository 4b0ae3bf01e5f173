/** Returns the cached value for a text, or creates it. */
export type TextCache<T> = (text: string, make: () => T) => T;

/**
 * Creates a cache keyed by text. It evicts the least recently used entries first.
 *
 * @param characters the total length of all keys, so that a few large texts can't exhaust memory
 */
export function textCache<T>(entries: number, characters = Number.POSITIVE_INFINITY): TextCache<T> {
  const kept = new Map<string, T>();
  let size = 0;
  let newest: { readonly text: string; readonly value: T } | undefined;
  return (text, make) => {
    // Texts often repeat, and hashing a long one costs more than comparing it.
    if (newest?.text === text) return newest.value;
    const isKept = kept.has(text);
    const value = isKept ? (kept.get(text) as T) : make();
    if (!isKept) size += text.length;
    kept.delete(text);
    kept.set(text, value);
    for (const oldest of kept.keys()) {
      if (kept.size <= entries && size <= characters) break;
      kept.delete(oldest);
      size -= oldest.length;
    }
    // It is the last one to be evicted.
    newest = kept.size > 0 ? { text, value } : undefined;
    return value;
  };
}

/** The value of a key in a map, created on first use. */
export function cached<K, V>(
  map: Pick<Map<K, V>, 'get'> & { set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Creates a value on first use, once. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
