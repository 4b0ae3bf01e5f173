const mark = '[redacted]';

/** Makes a function that takes these secrets out of whatever a service says: services like to quote what they got. */
export function blot(secrets: readonly string[]): <T>(value: T) => T {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  // The longest first, so that one inside another leaves nothing behind.
  const known = [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;
  const clean = (text: string): string => known.reduce((left, secret) => left.replaceAll(secret, mark), text);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), walk(inner)]));
  };
  return <T>(value: T): T => walk(value) as T;
}
