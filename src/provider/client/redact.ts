const mark = '[secret]';

/** The same value with every secret in its texts blotted out, keys among them: servers like to quote what they got. */
export function redact<T>(value: T, secrets: readonly string[]): T {
  const said = secrets.filter((secret) => secret.length >= 4);
  if (said.length === 0) return value;
  return blot(value, (text) => said.reduce((left, secret) => left.replaceAll(secret, mark), text)) as T;
}

function blot(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => blot(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), blot(inner, clean)]));
}
