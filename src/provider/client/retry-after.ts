/**
 * How long a provider asks to wait, in milliseconds, from the headers of its answer; nothing where it does not say.
 *
 * @param now the time a date is counted from
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const exact = numberIn(headers.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const said = headers.get('retry-after');
  const seconds = numberIn(said);
  if (seconds !== undefined) return seconds * 1000;
  // Without letters it is no date of HTTP, though the parser would take it for one.
  const date = said === null || !/[a-z]/i.test(said) ? Number.NaN : Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
