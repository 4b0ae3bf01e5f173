import { clip } from '../../json/clip.ts';

/**
 * Where a request goes: a path below a base URL. A version that both of them name (`…/v1` and `/v1/messages`) is named
 * once, because people give base URLs with it and without it; the base URL's own query is kept.
 */
export function endpoint(base: URL, path: string): URL {
  const url = new URL(base);
  const [below = '', query = ''] = path.split('?');
  const above = base.pathname.replace(/\/+$/, '');
  const steps = below.split('/').filter((step) => step !== '');
  const again = steps[0] !== undefined && above.split('/').at(-1) === steps[0];
  url.pathname = [above, ...(again ? steps.slice(1) : steps)].join('/');
  for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value);
  return url;
}

/** An address as it may be shown: without user, password and query, where keys may hide. */
export const displayUrl = ({ origin, pathname }: URL): string => `${origin}${pathname === '/' ? '' : pathname}`;

/** The beginning of a text for an error's message: a web page by its title, the rest on one line. */
export function excerpt(text: string, length = 200): string {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(text.slice(0, 20_000))?.[1];
  const line = (title ?? text.slice(0, 4 * length)).replace(/\s+/g, ' ').trim();
  return `"${clip(line, length)}"`;
}

/** Services that turn their models' calls into native ones themselves, by host. */
const hosts =
  /^(?:api\.(?:openai|anthropic|deepseek|mistral|together|fireworks|cerebras|groq|x|cohere|perplexity|moonshot)\.(?:com|ai|xyz|cn)|openrouter\.ai|(?:[\w-]+\.)*(?:openai\.azure\.com|services\.ai\.azure\.com|googleapis\.com|amazonaws\.com))$/;

/** Whether such a service is at an address: a call in its words is more likely a quote than one it could not read. */
export function isHosted(url: URL | string): boolean {
  if (typeof url === 'string' && !URL.canParse(url)) return false;
  return hosts.test(new URL(url).hostname);
}
