import { hasOwn, isObject } from '../../json/value.ts';
import { argumentText, UnfitArgument } from './argument-text.ts';
import { fillBody } from './fill-body.ts';
import { headerText } from './header-faults.ts';
import type { RestSettings } from './rest-settings.ts';
import { fill, onlyPlaceholder, placeholdersOf, type UrlTemplate } from './template.ts';

/** What is sent, without its credentials. */
export interface RestRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** Makes a request of the settings and a call's arguments. Throws `UnfitArgument` for one that can't stand where it should. */
export function restRequest(settings: RestSettings, template: UrlTemplate, given: unknown): RestRequest {
  const input: Input = isObject(given) ? given : {};
  const { method = 'GET', body = method === 'GET' ? 'query' : 'json' } = settings;
  const url = new URL(`${template.origin}${pathOf(template.path, input)}`);
  const params = queryTemplates(settings, template);
  for (const [name, text] of params) addParameter(url.searchParams, name, text, input);

  const headers = new Headers({ accept: 'application/json, text/*;q=0.9, */*;q=0.5', 'user-agent': 'toolmend' });
  for (const [name, text] of Object.entries(settings.headers ?? {})) addHeader(headers, name, text, input);

  const texts = [template.path, ...params.map(([, text]) => text), ...Object.values(settings.headers ?? {})];
  const placed = new Set(texts.flatMap(placeholdersOf));
  const rest = Object.entries(input).filter(([name, value]) => !placed.has(name) && value !== undefined);
  if (body === 'query') {
    for (const [name] of rest) addParameter(url.searchParams, name, `{${name}}`, input);
    return { method, url, headers };
  }
  if (body === 'form') {
    const form = new URLSearchParams();
    for (const [name] of rest) addParameter(form, name, `{${name}}`, input);
    return { method, url, headers: typed(headers, 'application/x-www-form-urlencoded'), body: form.toString() };
  }
  if (body === 'json' && rest.length === 0 && method === 'DELETE') return { method, url, headers };
  const content = body === 'json' ? Object.fromEntries(rest) : fillBody(body.json, input);
  return { method, url, headers: typed(headers, 'application/json'), body: JSON.stringify(content) };
}

/** Each parameter of the query with its template; a list of names is the short way to write it. */
export function queryTemplates({ query = {} }: RestSettings, template: UrlTemplate): (readonly [string, string])[] {
  const own = Array.isArray(query)
    ? query.map((name) => [name, `{${name}}`] as const)
    : Object.entries(query).map(([name, text]) => [name, String(text)] as const);
  return [...template.query, ...own];
}

function pathOf(path: string, input: Input): string {
  return path
    .split('/')
    .map((segment) => {
      if (placeholdersOf(segment).length === 0) return segment;
      const filled = fill(segment, (name) => segmentText(name, own(input, name)));
      // An address is read with these taken out, and so would be another one.
      if (!/^(\.|%2e){1,2}$/i.test(filled)) return filled;
      throw new UnfitArgument(`Field '${placeholdersOf(segment)[0]}' must not be a path like '..'`);
    })
    .join('/');
}

function segmentText(name: string, value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => {
    if (isObject(part) && !(part instanceof Date))
      throw new UnfitArgument(`Field '${name}' must be a single value here`);
    return encodeURIComponent(argumentText(name, part) ?? '');
  });
  // Without it the address would be that of the whole collection.
  if (texts.length === 0 || texts.includes('')) throw new UnfitArgument(`Field '${name}' must not be empty`);
  return texts.join(',');
}

/** A parameter whose argument is not given is left out. */
function addParameter(params: URLSearchParams, name: string, template: string, input: Input): void {
  const only = onlyPlaceholder(template);
  const value = only === undefined ? undefined : own(input, only);
  const values = Array.isArray(value) ? value : [undefined];
  for (const one of values) {
    const text = Array.isArray(value) ? argumentText(only ?? '', one) : filledText(template, input);
    if (text !== undefined) params.append(name, text);
  }
}

function addHeader(headers: Headers, name: string, template: string, input: Input): void {
  const text = filledText(template, input);
  if (text === undefined) return;
  if (!headerText.test(text)) {
    const field = placeholdersOf(template)[0] ?? name;
    throw new UnfitArgument(`Field '${field}' goes into a header, and holds a character that must not stand there`);
  }
  headers.set(name, text);
}

/** Undefined where an argument that the text needs is not given. */
function filledText(template: string, input: Input): string | undefined {
  let whole = true;
  const text = fill(template, (name) => {
    const value = argumentText(name, own(input, name));
    whole &&= value !== undefined;
    return value ?? '';
  });
  return whole ? text : undefined;
}

/** What the settings say of the type themselves comes first. */
function typed(headers: Headers, type: string): Headers {
  if (!headers.has('content-type')) headers.set('content-type', type);
  return headers;
}

const own = (input: Input, name: string): unknown => (hasOwn(input, name) ? input[name] : undefined);
