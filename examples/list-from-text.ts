/**
 * For a tool's own `z.preprocess`: models often write a list as JSON text or as XML elements. Unreadable text
 * stays unchanged, so that the field's error shows it. It never becomes an empty list.
 */
export const listFromText = (itemTag: string, fieldTags: readonly string[] = []) => {
  return (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    if (text.startsWith('[')) return fromJson(text) ?? value;
    if (!text.startsWith('<')) return value;
    const items = elements(unwrapped(text, itemTag), [itemTag]);
    if (items === undefined || items.length === 0) return value;
    if (fieldTags.length === 0) return items.map(([, inner]) => plainText(inner));
    const records = items.map(([, inner]) => record(inner, fieldTags));
    return records.includes(undefined) ? value : records;
  };
};

function fromJson(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The content of an element around all items, if there is one: `<files><file>…</file></files>`. */
function unwrapped(text: string, itemTag: string): string {
  const [open, tag] = /^<([\w-]+)>/.exec(text) ?? [];
  const close = `</${tag}>`;
  return open && tag !== itemTag && text.endsWith(close) ? text.slice(open.length, -close.length) : text;
}

/** The elements of a text, or undefined if it contains anything else. */
function elements(text: string, tags: readonly string[]): [string, string][] | undefined {
  const found: [string, string][] = [];
  let rest = text.trim();
  while (rest !== '') {
    const tag = tags.find((name) => rest.startsWith(`<${name}>`));
    const end = tag === undefined ? -1 : rest.indexOf(`</${tag}>`);
    if (tag === undefined || end < 0) return undefined;
    found.push([tag, rest.slice(tag.length + 2, end)]);
    rest = rest.slice(end + tag.length + 3).trimStart();
  }
  return found;
}

function record(inner: string, tags: readonly string[]): Record<string, string> | undefined {
  const fields = elements(inner, tags);
  // A repeated field has more than one reading.
  if (fields === undefined || new Set(fields.map(([tag]) => tag)).size !== fields.length) return undefined;
  return Object.fromEntries(fields.map(([tag, text]) => [tag, plainText(text)]));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plainText(inner: string): string {
  const [, cdata] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(inner) ?? [];
  return cdata ?? inner.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => entities[name] ?? whole);
}
