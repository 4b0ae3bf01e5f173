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
  [/\/chat\/completions$/, openaiChat],
  [/\/responses$/, openaiResponses],
  [/\/messages$/, anthropicMessages],
  [/\/api\/chat$/, ollamaChat],
  [
    // Names at other servers have tags (`qwen3:30b`) or owners (`Qwen/Qwen3-Coder`).
    /\/((?:models|tunedModels)\/[^/]+(?:\/[^/]+){0,3}):(generateContent|streamGenerateContent)$/,
    geminiContent,
    (model, verb) => ({ model: model.replace(/^models\//, ''), stream: verb === 'streamGenerateContent' }),
  ],
];

/** The API format of a path, whatever its prefix. */
export function routeOf(path: string): { readonly provider: Provider; readonly address: Address } | undefined {
  for (const [pattern, provider, address] of routes) {
    const match = pattern.exec(path);
    if (match) return { provider, address: address?.(decodeURIComponent(match[1] ?? ''), match[2] ?? '') ?? {} };
  }
  return undefined;
}

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
