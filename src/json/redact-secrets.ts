/** Removes secrets from a value. `cut` also removes the start of a secret at the end of a truncated text. */
export type Redact = <T>(value: T, options?: { readonly cut?: boolean }) => T;

/**
 * Creates a function that removes these secrets from what a service returns, because services often echo their input.
 */
export function redactSecrets(secrets: readonly string[], mark = '[redacted]'): Redact {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  // Longest first, so that a secret inside another leaves nothing behind.
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
