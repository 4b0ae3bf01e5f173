import { displayUrl } from '../../provider/client/endpoint.ts';
import { loadedContext, serverFacts } from '../../proxy/doctor/server-facts.ts';
import { UsageError } from '../usage-error.ts';
import { isNamed, type ModelServer, type ServerName } from './find-upstream.ts';

/** The model of a session, and its context size. */
export interface ChosenModel {
  readonly model: string;
  /** Context size in tokens, and how many of them a response may use. */
  readonly context: number;
  readonly output: number;
  /** The context size to request from Ollama, which takes it per request. */
  readonly requested?: number;
  /** What the user should know before the start. */
  readonly notices: readonly string[];
}

/** Options of the choice. */
export interface ModelOptions {
  /** The value of `--model`. */
  readonly model?: string | undefined;
  /** The value of `--context`. */
  readonly context?: number | undefined;
  /** @default 5_000 */
  readonly patience?: number;
}

/** Chooses the model, and asks the server for its context size. */
export async function chooseModel(server: ModelServer, options: ModelOptions): Promise<ChosenModel> {
  const { model, notice } = modelOf(server, options.model);
  const { tokens, requested, unloaded } = await contextOf(server, model, options);
  const small = `${model} has a context of ${tokens} tokens, which is small for an agent. ${enlarge[server.name](model)}`;
  const notices = [
    ...(notice === undefined ? [] : [notice]),
    ...(tokens < leastContext ? [small] : []),
    ...(unloaded ? [`${model} isn't loaded yet. ${enlarge['LM Studio'](model)}`] : []),
  ];
  const output = Math.max(256, Math.min(32_000, Math.floor(tokens / 4)));
  return { model, context: tokens, output, ...(requested !== undefined && { requested }), notices };
}

/** The first prompt of Claude Code has up to 18,000 tokens. */
const leastContext = 24_576;
const usualContext = 32_768;
const hostedContext = 131_072;
const mostListed = 20;

/** Servers that refuse a model that they don't list. */
const strict: readonly ServerName[] = ['Ollama', 'vLLM', 'LM Studio'];

function modelOf(server: ModelServer, wanted: string | undefined): { model: string; notice?: string } {
  const { models, name, root } = server;
  const at = displayUrl(root);
  const listed = models?.map(({ id }) => id) ?? [];
  const list = `${listed.slice(0, mostListed).join(', ')}${listed.length > mostListed ? ', …' : ''}`;
  if (wanted !== undefined) {
    const match = listed.find((id) => isNamed(id, wanted));
    if (match !== undefined || models === undefined || !strict.includes(name)) return { model: match ?? wanted };
    const next = name === 'Ollama' ? ` Download it with: ollama pull ${wanted}` : '';
    throw new UsageError(
      `Unknown model '${wanted}' at ${at}. ${listed.length > 0 ? `Expected one of: ${list}.` : 'It has no models.'}${next}`,
    );
  }
  const [first] = [...(models ?? [])].sort((a, b) => Number(b.loaded) - Number(a.loaded));
  if (!first) throw new UsageError(`${at} ${models ? 'has no models' : "doesn't list its models"}. ${noModel[name]}`);
  if (listed.length === 1) return { model: first.id };
  // A hosted service has dozens, of different prices.
  if (server.hosted || name === 'server') throw new UsageError(`Choose a model with --model NAME: ${list}`);
  return { model: first.id, notice: `Choose another model with --model NAME: ${list}` };
}

const noModel: Readonly<Record<ServerName, string>> = {
  Ollama: 'Download one, for example with: ollama pull qwen3-coder',
  'llama-server': 'Start it with a model: llama-server -m MODEL.gguf --jinja',
  'LM Studio': 'Download one, for example with: lms get qwen3-coder',
  vLLM: 'Start it with a model: vllm serve MODEL',
  server: 'Set the name of the model with --model NAME',
};

/** A context size in tokens, what to request, and whether the server chooses it when it loads the model. */
interface ContextSize {
  readonly tokens: number;
  readonly requested?: number;
  readonly unloaded?: boolean;
}

async function contextOf(server: ModelServer, model: string, options: ModelOptions): Promise<ContextSize> {
  const { name, root, headers, hosted, models } = server;
  const { context: wanted, patience: timeout = 5000 } = options;
  const listed = models?.find(({ id }) => id === model);
  const usual = listed?.context ?? (hosted ? hostedContext : usualContext);
  if (hosted || name === 'server') return { tokens: wanted ?? usual };
  if (name === 'LM Studio') {
    const unloaded = listed?.loaded !== true;
    return { tokens: wanted ?? (unloaded ? Math.min(usual, usualContext) : usual), unloaded };
  }
  const target = { root, model, timeout, maxTokens: 1, signal: AbortSignal.timeout(timeout) };
  const facts = await serverFacts(target, headers);
  const reported = facts.kind === 'silent' ? undefined : facts.context?.tokens;
  if (name !== 'Ollama') return { tokens: wanted ?? reported ?? usual };
  const most = facts.kind === 'silent' ? undefined : facts.mostContext;
  // The size in the model's settings, or the one in memory, before a size that agents can work with.
  const enough = Math.max((await loadedContext(target, headers)) ?? 0, Math.min(most ?? usualContext, usualContext));
  const tokens = wanted ?? reported ?? enough;
  return { tokens, requested: tokens };
}

/** How to get a larger context, by server. */
const enlarge: Readonly<Record<ServerName, (model: string) => string>> = {
  Ollama: () => 'Request a larger one with --context 32768',
  'llama-server': () => 'Start the server with: llama-server -c 32768 …',
  'LM Studio': (model) => `Load the model with: lms load ${model} --context-length 32768`,
  vLLM: () => 'Start the server with: vllm serve --max-model-len 32768 …',
  server: () => 'If the server has a larger one, set it with --context 32768',
};
