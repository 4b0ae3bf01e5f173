/** Shortens a text to `limit` characters with its length, without splitting a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `… (${text.length} characters)`;
  let end = Math.max(0, limit - mark.length);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return text.slice(0, end) + mark;
}

const maxDepth = 6;

/** Compact JSON of any value in at most about `limit` characters, with bounded work. */
export function preview(value: unknown, limit: number): string {
  const writer = { text: '', limit };
  write(value, writer, 0);
  return shorten(writer.text, limit);
}

interface Writer {
  text: string;
  readonly limit: number;
}

function write(value: unknown, out: Writer, depth: number): void {
  if (typeof value === 'string') out.text += JSON.stringify(shorten(value, stringLimit(out)));
  else if (typeof value !== 'object' || value === null) out.text += scalar(value);
  else if (depth >= maxDepth) out.text += Array.isArray(value) ? '[…]' : '{…}';
  else writeAll(value as Record<string, unknown>, out, depth);
}

// A string may use at most half of what is left, so that what follows is visible too.
const stringLimit = (out: Writer): number => Math.max(24, Math.floor((out.limit - out.text.length) / 2));

function writeAll(value: Record<string, unknown> | readonly unknown[], out: Writer, depth: number): void {
  const list = Array.isArray(value);
  const all: readonly unknown[] = list ? value : Object.keys(value);
  out.text += list ? '[' : '{';
  for (const [index, item] of all.entries()) {
    if (index > 0) out.text += ',';
    if (isFull(out)) {
      out.text += list ? `… ${all.length - index} more` : '…';
      break;
    }
    if (!list) out.text += `${JSON.stringify(shorten(item as string, 60))}:`;
    write(list ? item : (value as Record<string, unknown>)[item as string], out, depth + 1);
  }
  out.text += list ? ']' : '}';
}

// Reserves space for closing brackets and the number of omitted items.
const isFull = (out: Writer): boolean => out.text.length > out.limit - 24;

const scalar = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? typeof value);
