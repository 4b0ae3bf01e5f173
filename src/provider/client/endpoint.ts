import { clip } from '../../json/clip.ts';
import { textCache } from '../../json/text-cache.ts';

/**
 * Appends a path to a base URL. Parameters in the query of the base URL have precedence over those of the path. If both
 * contain the version (`…/v1` and `/v1/messages`), it appears once: base URLs are commonly written either way.
 */
export function endpoint(base: URL, path: string): URL {
  const url = new URL(base);
  const [below = '', query = ''] = path.split('?');
  const above = base.pathname.replace(/\/+$/, '');
  const steps = below.split('/').filter((step) => step !== '');
  const again = steps[0] !== undefined && above.split('/').at(-1) === steps[0];
  url.pathname = [above, ...(again ? steps.slice(1) : steps)].join('/');
  const own = base.search.slice(1);
  const known = new Set(paramsOf(own).map(({ name }) => name));
  const added = paramsOf(query).filter(({ name }) => !known.has(name));
  url.search = [...(own === '' ? [] : [own]), ...added.map(({ raw }) => raw)].join('&');
  return url;
}

/** A parameter of a query, and how it was written. */
interface QueryParam {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

/** The parameters of a query in order. Repeated ones are kept. */
export const paramsOf = (query: string): QueryParam[] =>
  query.split('&').flatMap((raw) => {
    const [param] = raw === '' ? [] : new URLSearchParams(raw);
    return param ? [{ name: param[0], value: param[1], raw }] : [];
  });

/** A URL for messages: without user, password and query, which may contain keys. */
export const displayUrl = ({ origin, pathname }: URL): string => `${origin}${pathname === '/' ? '' : pathname}`;

/** Shortens a text to one line for an error message. A web page is shown by its title. */
export function excerpt(text: string, length = 200): string {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(text.slice(0, 20_000))?.[1];
  const line = (title ?? text.slice(0, 4 * length)).replace(/\s+/g, ' ').trim();
  return `"${clip(line, length)}"`;
}

/** Hosts of services that parse their models' calls themselves. */
const hosts =
  /^(?:api\.(?:openai|anthropic|deepseek|mistral|together|fireworks|cerebras|groq|x|cohere|perplexity|moonshot)\.(?:com|ai|xyz|cn)|openrouter\.ai|(?:[\w-]+\.)*(?:openai\.azure\.com|services\.ai\.azure\.com|googleapis\.com|amazonaws\.com))$/;

/**
 * Whether a URL belongs to such a service. A call in the text of its models is more likely a quote than a call that the
 * service failed to parse.
 */
export function isHosted(url: URL | string): boolean {
  if (typeof url !== 'string') return hosts.test(url.hostname);
  return hostedUrls(url, () => URL.canParse(url) && hosts.test(new URL(url).hostname));
}

/** Each request asks for its upstream, and parsing a URL is slow. */
const hostedUrls = textCache<boolean>(100);
