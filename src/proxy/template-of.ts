import type { OutgoingHttpHeaders } from 'node:http';
import { isObject } from '../json/value.ts';
import { endpoint } from '../provider/client/endpoint.ts';
import { askUpstream } from './ask-upstream.ts';
import type { Upstream } from './proxy-options.ts';
import { readBody } from './read-body.ts';

const patience = 1000;
const longest = 4 * 1024 * 1024;

/** A chat template, and where the server shows it. */
export interface FoundTemplate {
  readonly template: string;
  readonly where: string;
}

/** Where servers show a model's chat template, by the wire that they speak. */
const places = [
  { format: 'ollama', method: 'POST', path: () => '/api/show', field: 'template' },
  {
    format: 'openai-chat',
    method: 'GET',
    path: (model: string) => `/props?model=${encodeURIComponent(model)}`,
    field: 'chat_template',
  },
] as const;

/** Asks an upstream for a model's chat template; nothing where it shows none, or not at once. Never throws. */
export async function templateOf(
  upstream: Upstream,
  model: string,
  headers: OutgoingHttpHeaders,
): Promise<FoundTemplate | undefined> {
  const base = new URL(upstream.url);
  // Servers of models of one's own show it; hosted ones, which are reached over TLS, do not.
  if (base.protocol !== 'http:') return undefined;
  base.pathname = base.pathname.replace(/\/v1\/?$/, '/');
  for (const { format, method, path, field } of places) {
    if (!upstream.formats.includes(format)) continue;
    const template = await shownAt(endpoint(base, path(model)), method, model, headers, field);
    if (template !== undefined) return { template, where: path('').replace(/\?.*/, '') };
  }
  return undefined;
}

async function shownAt(
  url: URL,
  method: string,
  model: string,
  headers: OutgoingHttpHeaders,
  field: string,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patience);
  const body = method === 'POST' ? Buffer.from(JSON.stringify({ model })) : undefined;
  try {
    const came = await askUpstream({ url, method, headers, body, signal });
    const value: unknown = JSON.parse((await readBody(came, longest)).toString('utf8'));
    const template = came.statusCode === 200 && isObject(value) ? value[field] : undefined;
    return typeof template === 'string' ? template : undefined;
  } catch {
    return undefined;
  }
}
