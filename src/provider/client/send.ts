import { shown } from './endpoint.ts';
import type { Fetch } from './fetch.ts';

/** The server sent us elsewhere, where we do not follow. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

const redirects = [301, 302, 303, 307, 308];

/**
 * Posts a body. A redirect is followed where it stays at its origin and asks for the same request again; a key must not
 * follow it anywhere else.
 */
export async function send(
  fetch: Fetch,
  first: URL,
  request: { readonly headers: Record<string, string>; readonly body: string; readonly signal: AbortSignal },
): Promise<Response> {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url.href, { method: 'POST', redirect: 'manual', ...request });
    const hidden = response.type === 'opaqueredirect';
    if (!hidden && !redirects.includes(response.status)) return response;
    await response.body?.cancel().catch(() => {});
    const to = hidden ? undefined : target(response, url);
    if (!to)
      throw new RedirectError(`${shown(url)} redirects, and does not say where to. Set baseURL to where it leads.`);
    const path = `${shown(url)} redirects (${response.status}) to ${shown(to)}`;
    if (to.origin !== url.origin)
      throw new RedirectError(
        `${path}, another origin, where the key is not sent. If you trust it, set baseURL to it.`,
      );
    if (response.status < 307) throw new RedirectError(`${path}, which would lose the request. Set baseURL to it.`);
    if (hops >= 5) throw new RedirectError(`${path}, after ${hops} other redirects.`);
    url = to;
  }
}

function target(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}
