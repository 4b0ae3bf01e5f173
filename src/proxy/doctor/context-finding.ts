import type { Finding } from './finding.ts';
import type { ServerFacts } from './server-facts.ts';

/** Below this, a few dozen tools and a conversation with results hardly fit. */
const enough = 16_384;

/** Ollama's own, where nothing else is set and the machine has little memory. */
const ollamaDefault = 4096;

const settings: Readonly<Record<ServerFacts['kind'], ((tokens: number) => string) | undefined>> = {
  ollama: (tokens) => `num_ctx ${tokens}`,
  'llama.cpp': (tokens) => `-c ${tokens}`,
  vllm: (tokens) => `--max-model-len ${tokens}`,
  other: undefined,
};

const advices: Readonly<Record<ServerFacts['kind'], string>> = {
  ollama:
    'Set num_ctx in the Modelfile or in options, or OLLAMA_CONTEXT_LENGTH for the server: what does not fit is left out of the prompt without a word.',
  'llama.cpp': 'Start llama-server with a larger -c; it is shared by its slots (-np).',
  vllm: 'Start vLLM with a larger --max-model-len, if the memory allows.',
  other: '',
};

/** What the size of the context comes to, and the finding where there is anything to say. */
export function contextFinding(
  { kind, context, mostContext }: ServerFacts,
  loaded: number | undefined,
): { readonly tokens?: number; readonly finding: Finding } {
  const from = loaded !== undefined ? '/api/ps says' : context?.from;
  const tokens = loaded ?? context?.tokens;
  const most = mostContext === undefined ? '' : `; the model was made for ${mostContext}`;
  if (tokens === undefined) {
    const said =
      kind === 'ollama'
        ? `nothing sets num_ctx, so that it is Ollama's default, as little as ${ollamaDefault}${most}`
        : 'the server does not say';
    const advice = kind === 'ollama' ? { advice: advices.ollama, setting: settings.ollama?.(enough) as string } : {};
    return { finding: { check: 'context', verdict: kind === 'ollama' ? 'fair' : 'open', said, ...advice } };
  }
  const said = `${tokens} tokens (${from})${most}`;
  if (tokens >= enough) return { tokens, finding: { check: 'context', verdict: 'good', said } };
  const setting = settings[kind]?.(Math.min(enough, mostContext ?? enough));
  const advice = advices[kind] || 'Tools and a long conversation may not fit.';
  return { tokens, finding: { check: 'context', verdict: 'fair', said, advice, ...(setting && { setting }) } };
}
