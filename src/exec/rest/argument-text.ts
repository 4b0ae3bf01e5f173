/** An argument that passed its schema and still can't stand where it should; the words go to the model. */
export class UnfitArgument extends Error {
  override readonly name = 'UnfitArgument';
}

/** An argument as text for an address, a header or a form; undefined where there is none. */
export function argumentText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = written(value);
  // Half a character can't be encoded, and must not become another one.
  if (!text.isWellFormed()) throw new UnfitArgument(`Field '${name}' holds half a character (a lone surrogate)`);
  return text;
}

const written = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
