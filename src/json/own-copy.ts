/**
 * A value that nobody else holds: what was shown to a person, or given by one, must not change afterwards. What can't be
 * copied is no JSON, and is given as it is.
 */
export function ownCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
