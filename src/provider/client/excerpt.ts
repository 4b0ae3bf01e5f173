/** The beginning of a text for an error's message: a web page by its title, the rest on one line. */
export function excerpt(text: string, length = 200): string {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(text.slice(0, 20_000))?.[1];
  const line = (title ?? text.slice(0, 4 * length)).replace(/\s+/g, ' ').trim();
  return `"${line.length > length ? `${line.slice(0, length)}…` : line}"`;
}
