import { ToolmendError } from '../../json/toolmend-error.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import type { Fault } from '../../tools/config-error.ts';
import type { RestSettings } from './settings.ts';
import { fill, onlyPlaceholder, placeholdersOf, type UrlTemplate } from './template.ts';

/** A request without credentials. */
export interface RestRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * Builds a request from the settings and a call's arguments. Throws `invalid_input` for an argument that can't be used
 * in its place.
 */
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

/** The query parameters with their templates. A list of names is a short form. */
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
      // URL parsing would resolve these segments and change the path.
      if (!/^(\.|%2e){1,2}$/i.test(filled)) return filled;
      throw unfit(`Field '${placeholdersOf(segment)[0]}' must not be a path like '..'`);
    })
    .join('/');
}

function segmentText(name: string, value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => {
    if (isObject(part) && !(part instanceof Date)) throw unfit(`Field '${name}' must be a single value here`);
    return encodeURIComponent(argumentText(name, part) ?? '');
  });
  // An empty argument would turn the URL into that of the collection.
  if (texts.length === 0 || texts.includes('')) throw unfit(`Field '${name}' must not be empty`);
  return texts.join(',');
}

/** Omits a parameter whose argument is missing. */
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
    throw unfit(`Field '${field}' is sent in a header, and contains a character that headers do not allow`);
  }
  headers.set(name, text);
}

/** Fills a text; undefined if an argument is missing. */
function filledText(template: string, input: Input): string | undefined {
  let whole = true;
  const text = fill(template, (name) => {
    const value = argumentText(name, own(input, name));
    whole &&= value !== undefined;
    return value ?? '';
  });
  return whole ? text : undefined;
}

/** A content type in the settings has precedence. */
function typed(headers: Headers, type: string): Headers {
  if (!headers.has('content-type')) headers.set('content-type', type);
  return headers;
}

const own = (input: Input, name: string): unknown => (hasOwn(input, name) ? input[name] : undefined);

/**
 * Fills a body template. A text that is only one placeholder becomes the argument itself; fields without a value are
 * omitted.
 */
function fillBody(template: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const value = (name: string): unknown => (hasOwn(input, name) ? input[name] : undefined);
    const only = onlyPlaceholder(template);
    return only === undefined ? fill(template, (name) => argumentText(name, value(name)) ?? '') : value(only);
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillBody(item, input)).filter((item) => item !== undefined);
  }
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, fillBody(inner, input)]));
}

/** Thrown for an argument that matches its schema but can't be used in its place. The message is for the model. */
const unfit = (message: string): ToolmendError => new ToolmendError('invalid_input', message);

/** An argument as text for a URL, a header or a form; undefined if it is missing. */
function argumentText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = written(value);
  // A lone surrogate can't be encoded, and must not become another character.
  if (!text.isWellFormed()) throw unfit(`Field '${name}' contains a lone surrogate`);
  return text;
}

const written = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** A valid header name. */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A valid header value. */
export const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the connection sets itself. */
const ours = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te', 'trailer', 'expect'];
/** Names of headers and parameters that contain secrets. */
export const secretName = /authorization|cookie|(api|access|app|private|secret|auth)[-_]?key|token|secret|passw/i;

/** Validates a header. Settings must not contain secrets, and messages don't repeat them. */
export function headerFaults(value: unknown, field: string, name: string): Fault[] {
  const fault = (message: string, fix: string): Fault[] => [{ field, message, fix }];
  if (!headerName.test(name)) return fault(`'${name}' is not a valid header name`, 'Use letters, digits and -');
  if (ours.includes(name.toLowerCase())) return fault(`${name} is set automatically`, 'Leave it out');
  if (typeof value !== 'string')
    return fault(`${field} is not a string`, "Use a string, with '{name}' for an argument");
  if (!headerText.test(value))
    return fault(`${field} contains a character that is not allowed in headers`, 'Leave it out');
  if (secretName.test(name) && placeholdersOf(value).length === 0) {
    const fix = `Name its variable instead: auth: { type: 'header', name: '${name}', env: 'MY_KEY' }`;
    return fault(`${name} contains a secret in plain text`, fix);
  }
  return [];
}
