import type { Format } from '../../model/index.ts';
import { anthropicMessages } from './anthropic/index.ts';
import { geminiContent } from './gemini/index.ts';
import { ollamaChat } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Address, Provider } from './types.ts';

/** A path pattern, its API format, and what the path says about the request. */
type Route = readonly [path: RegExp, provider: Provider, address?: (model: string, verb: string) => Address];

const routes: readonly Route[] = [
  // Azure serves the deployment in the path, whatever model the body names.
  [/\/deployments\/([^/]+)\/chat\/completions$/i, openaiChat, (model) => ({ model })],
  [/\/chat\/completions$/i, openaiChat],
  [/\/responses$/i, openaiResponses],
  [/\/messages$/i, anthropicMessages],
  [/\/api\/chat$/i, ollamaChat],
  [
    // Names at other servers have tags (`qwen3:30b`) or owners (`Qwen/Qwen3-Coder`).
    /\/((?:models|tunedModels)\/[^/]+(?:\/[^/]+){0,3}):(generateContent|streamGenerateContent)$/i,
    geminiContent,
    (model, verb) => ({ model: model.replace(/^models\//i, ''), stream: /^stream/i.test(verb) }),
  ],
];

type Routed = { readonly provider: Provider; readonly address: Address };

/** The API format of a path, whatever its prefix and however it is written, because servers differ in that. */
export const routeOf = (path: string): Routed | undefined =>
  matched(path, decodeURIComponent) ?? (isOdd.test(path) ? matched(plainPath(path), (name) => name) : undefined);

function matched(path: string, nameOf: (written: string) => string): Routed | undefined {
  for (const [pattern, provider, address] of routes) {
    const match = pattern.exec(path);
    if (match) return { provider, address: address?.(nameOf(match[1] ?? ''), match[2] ?? '') ?? {} };
  }
  return undefined;
}

/** Escapes, parameters, and slashes that many servers ignore. */
const isOdd = /[%;]|\/\/|\/$/;

function plainPath(path: string): string {
  const bare = path
    .replace(/;[^/]*/g, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** Requests for a response that the server has stored, or that runs in the background. */
const retrievals: readonly (readonly [request: RegExp, provider: Provider])[] = [
  [/^GET .*\/responses\/[^/]+$/i, openaiResponses],
  [/^POST .*\/responses\/[^/]+\/cancel$/i, openaiResponses],
  [/^GET .*\/chat\/completions\/[^/]+$/i, openaiChat],
];

/** The API format of the stored response that a request returns. */
export const retrievalOf = (method: string, path: string): Provider | undefined =>
  retrievals.find(([request]) => request.test(`${method} ${plainPath(path)}`))?.[1];

/** All API formats by name. */
export const wires: Readonly<Record<Format, Provider>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic: anthropicMessages,
  gemini: geminiContent,
  ollama: ollamaChat,
};

/** The path of a request from the root of its server. */
export const rootPath = (wire: Provider, path: string): string =>
  wire.format.startsWith('openai') && !path.startsWith('/v1') ? `/v1${path}` : path;
