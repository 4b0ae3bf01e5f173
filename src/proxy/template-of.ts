import type { OutgoingHttpHeaders } from 'node:http';
import { endpoint } from '../provider/client/endpoint.ts';
import { askJson } from './ask-json.ts';
import { pageOf } from './page-of.ts';
import type { Upstream } from './proxy-options.ts';

const patience = 3000;

/** A chat template, and where the server shows it. */
export interface FoundTemplate {
  readonly template: string;
  readonly where: string;
}

/** Where servers show a model's chat template, by the wire that they speak. */
const places = [
  { format: 'ollama', path: () => '/api/show', field: 'template', asks: (model: string) => ({ body: { model } }) },
  {
    format: 'openai-chat',
    path: (model: string) => `/props?model=${encodeURIComponent(model)}`,
    field: 'chat_template',
    asks: () => ({}),
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
  for (const { format, path, field, asks } of places) {
    if (!upstream.formats.includes(format)) continue;
    const heard = await askJson(endpoint(base, path(model)), { headers, timeout: patience, ...asks(model) });
    const template = pageOf(heard)[field];
    if (typeof template === 'string') return { template, where: path('').replace(/\?.*/, '') };
  }
  return undefined;
}
