/** Formats numbers and times. */
const plural = new Intl.PluralRules('en');

/** `1 call`, `1,200 calls`. */
export const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${plural.select(count) === 'one' ? '' : 's'}`;

/** `38 s ago`, `5 min ago`, `3 h ago`, or the date. */
export function ago(at: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return moment(at, { dateStyle: 'medium' });
}

/** `14:03:22.120` */
export const clock = (at: number): string =>
  moment(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false });

/** Date and time. */
export const dateTime = (at: number): string => moment(at, { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats a time. Never throws, because a log can contain any number. */
export function moment(at: number, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '–' : new Intl.DateTimeFormat('en-GB', options).format(date);
}

/** `0.4 ms`, `120 ms`, `3.2 s`, `2 min 5 s`. */
export function lasted(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `12%`. Small shares are shown as `<1%`, not as 0. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  return share > 0 && share < 1 ? '<1%' : `${Math.round(share)}%`;
}
