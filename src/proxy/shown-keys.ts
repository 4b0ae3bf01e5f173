import type { IncomingMessage } from 'node:http';
import { keyHeaders } from './forward-headers.ts';

/** A header for the proxy's own token, so that a client's key for the upstream can go beside it. */
export const tokenHeader = 'x-toolmend-token';

/** Every key a request shows, as clients of the several wires show theirs: in a header, or in the address. */
export function shownKeys({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): string[] {
  const named = [tokenHeader, ...keyHeaders].flatMap((name) => headers[name] ?? []);
  const inAddress = url.includes('key=') ? new URL(url, 'http://proxy').searchParams.getAll('key') : [];
  return [...named.map(bare), ...inAddress].filter((key) => key !== '');
}

/** Takes the token out of a request, wherever it stands: it is for the proxy alone. */
export function takeToken(request: Pick<IncomingMessage, 'headers' | 'url'>, token: string | undefined): void {
  const { headers, url = '/' } = request;
  delete headers[tokenHeader];
  if (token === undefined) return;
  for (const name of keyHeaders) if (bare(String(headers[name] ?? '')) === token) delete headers[name];
  if (!url.includes('key=')) return;
  const [path = '', query = ''] = url.split('?');
  const kept = new URLSearchParams(query);
  kept.delete('key', token);
  request.url = kept.size > 0 ? `${path}?${kept}` : path;
}

/** A key without the word before it. */
const bare = (value: string): string => value.replace(/^(?:bearer|basic)\s+/i, '').trim();
