import { FetchError } from './fetch-error.ts';
import type { Sending } from './send-once.ts';

const redirects = [301, 302, 303, 307, 308];
/** What may be told to a host that was not asked for: everything else may be a credential. */
const harmless = ['accept', 'accept-language', 'user-agent'];

/** The request a redirect asks for; undefined where the answer is none. Nothing that was meant for one origin goes to another. */
export function redirected(sent: Sending, response: Response): Sending | undefined {
  if (!redirects.includes(response.status)) return undefined;
  const location = response.headers.get('location');
  if (location === null) return undefined;
  const host = sent.url.host;
  if (!URL.canParse(location, sent.url.href)) {
    throw new FetchError('redirect', `${host} redirects to what is no address`);
  }
  const url = new URL(location, sent.url);
  const reads = sent.method === 'GET' || sent.method === 'HEAD';
  const again = reads || response.status >= 307;
  const bodyless = !again || sent.body === undefined;
  const away = url.origin !== sent.url.origin;
  if (away && again && !(reads && bodyless)) {
    throw new FetchError('redirect', `${host} redirects to ${url.host}, another origin, where the request is not sent`);
  }
  const headers = new Headers();
  for (const [name, value] of sent.headers) {
    const kept = away ? harmless.includes(name) : !bodyless || !name.startsWith('content-');
    if (kept) headers.set(name, value);
  }
  return { url, method: again ? sent.method : 'GET', headers, ...(!bodyless && { body: sent.body }) };
}
