/** Takes secrets out of a value; of a text that was cut off, also the beginning of one at its end. */
export type Redact = <T>(value: T, options?: { readonly cut?: boolean }) => T;

/** Makes a function that takes these secrets out of whatever a service says: services like to quote what they got. */
export function redactSecrets(secrets: readonly string[], mark = '[redacted]'): Redact {
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
  return <T>(value: T, { cut = false } = {}): T => {
    const left = walk(value) as T;
    return cut && typeof left === 'string' ? (withoutHalf(left, known, mark) as T) : left;
  };
}

function withoutHalf(text: string, known: readonly string[], mark: string): string {
  for (const secret of known) {
    for (let half = secret.length - 1; half > 0; half -= 1) {
      if (text.endsWith(secret.slice(0, half))) return `${text.slice(0, -half)}${mark}`;
    }
  }
  return text;
}
