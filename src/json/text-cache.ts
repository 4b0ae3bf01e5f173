/** Gives what was made of a text, and makes it where it is not kept. */
export type TextCache<T> = (text: string, make: () => T) => T;

/**
 * Makes a cache by text. The least recently used go first.
 *
 * @param characters how long all texts together may be: a few huge ones must not fill the memory
 */
export function textCache<T>(entries: number, characters = Number.POSITIVE_INFINITY): TextCache<T> {
  const kept = new Map<string, T>();
  let size = 0;
  return (text, make) => {
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
    return value;
  };
}
