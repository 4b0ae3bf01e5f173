const longest = 200_000;

/** Shortens texts that are too long to display, with a note. Returns the same object if nothing is too long. */
export function truncate<T>(value: T): T {
  return JSON.stringify(value).length > longest ? (cut(value) as T) : value;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > longest ? `${value.slice(0, longest)}… (${value.length - longest} more characters)` : value;
  }
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
}
