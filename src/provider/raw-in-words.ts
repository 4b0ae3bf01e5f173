const opening = "raw='";

/** What the model wrote, in an error's words: some servers put it between quotes there, followed by their own fault. */
export function rawInWords(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (!text.includes('parsing tool call') || start < 0) return undefined;
  const from = start + opening.length;
  const end = text.lastIndexOf("', err=");
  return end >= from ? text.slice(from, end) : text.slice(from).replace(/'$/, '');
}
