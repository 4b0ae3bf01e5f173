import type { Format } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { services } from '../../provider/client/services.ts';
import { wires } from '../../provider/wire/route.ts';
import { type FetchJsonOptions, fetchJson, type ServerReply } from '../upstream/http.ts';
import type { ProbeTarget, ServedFormat } from './types.ts';

/** Requests a page of the server. */
export const probeHttp = (
  { root, signal }: Pick<ProbeTarget, 'root' | 'signal'>,
  path: string,
  question: FetchJsonOptions,
): Promise<ServerReply> => fetchJson(endpoint(root, path), { ...question, signal });

/** The headers of a format's service, with the key if there is one. */
export function headersOf({ apiKey }: Pick<ProbeTarget, 'apiKey'>, format: Format): Record<string, string> {
  const { service } = servedFormat(format);
  return { ...service.headers, ...(apiKey !== undefined && service.keyHeader(apiKey)) };
}

/** API formats in order of preference for the remaining checks: the most common first. */
export const order: readonly [Format, ...Format[]] = [
  'openai-chat',
  'ollama',
  'anthropic',
  'gemini',
  'openai-responses',
];

const owners = {
  'openai-chat': services.openai,
  'openai-responses': services.openai,
  anthropic: services.anthropic,
  gemini: services.gemini,
  ollama: services.ollama,
} as const;

/** An API format with its service. */
export const servedFormat = (format: Format): ServedFormat => ({ wire: wires[format], service: owners[format] });
