/** A value as JSON of about `limit` characters. Reads no more than that of a large value. */
export function shortJson(value: unknown, limit: number): string {
  let left = limit;
  const write = (given: unknown, depth: number): string => {
    if (left <= 0) return '…';
    if (typeof given === 'string') {
      const text = given.length > left ? `${given.slice(0, left)}…` : given;
      left -= text.length + 2;
      return JSON.stringify(text);
    }
    if (typeof given !== 'object' || given === null) {
      const text = given === undefined ? 'nothing' : String(given);
      left -= text.length;
      return text;
    }
    const isList = Array.isArray(given);
    if (depth > 6) return isList ? '[…]' : '{…}';
    const parts: string[] = [];
    for (const key in given) {
      if (left <= 0) {
        parts.push('…');
        break;
      }
      left -= isList ? 2 : key.length + 4;
      const inner = write((given as Record<string, unknown>)[key], depth + 1);
      parts.push(isList ? inner : `${key.slice(0, 80)}: ${inner}`);
    }
    const [open, close] = isList ? '[]' : '{}';
    return parts.length === 0 ? `${open}${close}` : isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  };
  // Arguments written as text are shown unchanged.
  return typeof value === 'string' ? (value.length > limit ? `${value.slice(0, limit)}…` : value) : write(value, 0);
}
