import type { Format } from '../../model/index.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import type { ServedWire } from '../upstream/detect-formats.ts';
import type { ServerFacts } from './server-facts.ts';
import type { Finding } from './types.ts';

const labels: Readonly<Record<ServerFacts['kind'], string>> = {
  ollama: 'Ollama',
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  other: 'unknown server',
};

/** Reports the server. */
export const serverFinding = ({ kind, evidence }: ServerFacts, root: URL): Finding => ({
  check: 'reachable',
  verdict: 'good',
  said: `${labels[kind]} at ${displayUrl(root)} (${evidence})`,
});

/** Reports the API formats, and whether a key is required. */
export function wiresFinding(served: readonly ServedWire[], asked: Format | undefined, keyed: boolean): Finding {
  const check = 'wires';
  if (served.length === 0) {
    const what = asked ?? 'any known API format';
    const advice =
      'Check the URL: use the root of the server, or its /v1 path. Without --format, all API formats are tried.';
    return { check, verdict: 'bad', said: `no endpoint found for ${what}`, advice };
  }
  const names = served.map(({ format }) => format).join(', ');
  const closed = served.every(({ status }) => status === 401 || status === 403);
  if (!closed) return { check, verdict: 'good', said: names };
  const advice = keyed
    ? 'Check the API key.'
    : 'Pass the name of the environment variable with the API key: --key-env NAME.';
  return { check, verdict: 'bad', said: `${names}; each responds with ${served[0]?.status}`, advice };
}

/** Reports whether the model is listed. */
export function modelFinding({ kind, models }: ServerFacts, model: string): Finding | undefined {
  if (!models) return undefined;
  const check = 'model';
  if (models.includes(model) || models.includes(`${model}:latest`) || models.includes(`models/${model}`))
    return { check, verdict: 'good', said: `${model} is available` };
  const some = models.slice(0, 5).join(', ');
  const more = models.length > 5 ? ` and ${models.length - 5} more` : '';
  const said = `${model} is not available; the server has ${some}${more}`;
  if (kind === 'llama.cpp')
    return { check, verdict: 'fair', said, advice: 'llama-server uses its loaded model for any name.' };
  const advice = kind === 'ollama' ? `Run: ollama pull ${model}` : 'Load the model, or choose an available one.';
  return { check, verdict: 'bad', said, advice };
}

/** With less context, a few dozen tools and a conversation with results hardly fit. */
const enough = 16_384;

/** Ollama's default on machines with little memory. */
const ollamaDefault = 4096;

const settings: Readonly<Record<ServerFacts['kind'], ((tokens: number) => string) | undefined>> = {
  ollama: (tokens) => `num_ctx ${tokens}`,
  'llama.cpp': (tokens) => `-c ${tokens}`,
  vllm: (tokens) => `--max-model-len ${tokens}`,
  other: undefined,
};

const advices: Readonly<Record<ServerFacts['kind'], string>> = {
  ollama:
    'Set num_ctx in the Modelfile or in options, or OLLAMA_CONTEXT_LENGTH for the server. Ollama silently drops what does not fit.',
  'llama.cpp': 'Start llama-server with a larger -c; it is shared by its slots (-np).',
  vllm: 'Start vLLM with a larger --max-model-len, if the memory allows.',
  other: '',
};

/** Reports the context size. */
export function contextFinding(
  { kind, context, mostContext }: ServerFacts,
  loaded: number | undefined,
): { readonly tokens?: number; readonly finding: Finding } {
  const from = loaded !== undefined ? '/api/ps' : context?.from;
  const tokens = loaded ?? context?.tokens;
  const most = mostContext === undefined ? '' : `; the model supports ${mostContext}`;
  if (tokens === undefined) {
    const said =
      kind === 'ollama'
        ? `num_ctx is not set; Ollama's default can be as small as ${ollamaDefault}${most}`
        : 'not reported by the server';
    const advice = kind === 'ollama' ? { advice: advices.ollama, setting: settings.ollama?.(enough) as string } : {};
    return { finding: { check: 'context', verdict: kind === 'ollama' ? 'fair' : 'open', said, ...advice } };
  }
  const said = `${tokens} tokens (${from})${most}`;
  if (tokens >= enough) return { tokens, finding: { check: 'context', verdict: 'good', said } };
  const setting = settings[kind]?.(Math.min(enough, mostContext ?? enough));
  const advice = advices[kind] || 'Tools and a long conversation may not fit.';
  return { tokens, finding: { check: 'context', verdict: 'fair', said, advice, ...(setting && { setting }) } };
}
