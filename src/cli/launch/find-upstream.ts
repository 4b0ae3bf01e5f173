import { isObject, type JsonObject } from '../../json/value.ts';
import { displayUrl, endpoint, isHosted } from '../../provider/client/endpoint.ts';
import { services } from '../../provider/client/services.ts';
import { serverFacts } from '../../proxy/doctor/server-facts.ts';
import { rootOf } from '../../proxy/doctor/types.ts';
import { fetchJson, pageOf } from '../../proxy/upstream/http.ts';
import { UsageError } from '../usage-error.ts';

/** Model servers with the address that they use by default, and the command that starts them. */
export const localServers = [
  { name: 'Ollama', url: 'http://127.0.0.1:11434', start: 'ollama serve' },
  { name: 'llama-server', url: 'http://127.0.0.1:8080', start: 'llama-server -m MODEL.gguf --jinja -c 32768' },
  { name: 'LM Studio', url: 'http://127.0.0.1:1234', start: 'lms server start' },
  {
    name: 'vLLM',
    url: 'http://127.0.0.1:8000',
    start: 'vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes',
  },
] as const;

export type ServerName = (typeof localServers)[number]['name'] | 'server';

/** A model that a server lists. */
export interface ListedModel {
  readonly id: string;
  /** Whether it is in memory. */
  readonly loaded: boolean;
  /** Context size in tokens, if the list has it. */
  readonly context?: number;
}

/** A model server that responds. */
export interface ModelServer {
  readonly name: ServerName;
  /** Its URL as configured, for the proxy. */
  readonly url: string;
  /** Its URL without the version, to which the paths of all API formats are appended. */
  readonly root: URL;
  /** Sent with every request; contains the key, if there is one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hosted: boolean;
  /** Undefined if the server doesn't list its models. */
  readonly models: readonly ListedModel[] | undefined;
  /** The names of all listed models, including those that can't chat. */
  readonly names: readonly string[];
}

/** Where to search. */
export interface SearchOptions {
  /** The value of `--upstream`. */
  readonly upstream?: string | undefined;
  /** The value of `--key-env`. */
  readonly keyVariable?: string | undefined;
  /** The value of `--model`. Servers that list it are preferred. */
  readonly model?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Servers to probe without an address.
   * @default localServers
   */
  readonly places?: readonly { readonly name: ServerName; readonly url: string; readonly start: string }[];
  /**
   * Milliseconds for the response of a configured server, and of a probed one.
   * @default { configured: 5_000, probed: 1_000 }
   */
  readonly patience?: { readonly configured: number; readonly probed: number };
}

const usualPatience = { configured: 5000, probed: 1000 };

/**
 * Finds the model server: `--upstream`, then OPENAI_BASE_URL and OLLAMA_HOST, then servers that run on this machine.
 *
 * @throws UsageError with the next step if there is none
 */
export async function findUpstream(options: SearchOptions): Promise<ModelServer> {
  const { env, places = localServers, patience = usualPatience } = options;
  const configured = configuredUpstream(options);
  if (configured) {
    const { url, from, text } = configured;
    const root = rootOf(url);
    if (!root)
      throw new UsageError(`Invalid ${from} '${withoutLogin(text)}': expected a URL such as ${places[0]?.url}`);
    const headers = keyHeaders(root, options);
    const server = await readServer({ url, root, headers }, patience.configured);
    if (server === 'locked')
      throw new UsageError(
        Object.keys(headers).length > 0
          ? `${displayUrl(root)} rejects the API key. Set the variable of another one with: --key-env NAME`
          : `${displayUrl(root)} requires an API key. Put it in an environment variable, and add: --key-env NAME`,
      );
    if (server) return server;
    const start = places.find((one) => new URL(one.url).port === root.port)?.start;
    throw new UsageError(
      `No response from ${displayUrl(root)} (${from}). Check the address, or start the server${start === undefined ? '' : ` with: ${start}`}`,
    );
  }
  if (options.keyVariable !== undefined)
    throw new UsageError(
      `--key-env requires the address of the server that the key is for: --upstream URL --key-env ${options.keyVariable}`,
    );
  const probed = await Promise.all(places.map(({ url }) => probe(url, env, patience.probed)));
  const running = probed.filter((server) => server !== undefined && server !== 'locked');
  const listing = running.find(({ models = [] }) => models.some(({ id }) => isNamed(id, options.model)));
  const server = listing ?? running.find(({ models = [] }) => models.length > 0) ?? running[0];
  if (server) return server;
  const locked = places.find((_, index) => probed[index] === 'locked');
  if (locked)
    throw new UsageError(
      `${locked.url} requires an API key. Put it in an environment variable, and add: --upstream ${locked.url} --key-env NAME`,
    );
  throw new UsageError(
    [
      'No model server responds on this machine. Start one, or set its address with --upstream URL:',
      ...places.map(({ name, url, start }) => `  ${name.padEnd(13)} ${start}   (${url})`),
    ].join('\n'),
  );
}

/** A server that may not be one for models; `locked` if it requires a key. */
async function probe(
  url: string,
  env: SearchOptions['env'],
  timeout: number,
): Promise<ModelServer | 'locked' | undefined> {
  const root = new URL(url);
  const key = root.port === '11434' ? env.OLLAMA_API_KEY : undefined;
  const headers: Record<string, string> = key ? services.ollama.keyHeader(key) : {};
  const server = await readServer({ url, root, headers }, timeout);
  // Other programs use these ports, too.
  return server === 'locked' ? server : server?.models && server;
}

/** The configured address: as a URL, and as it is written where it is from. */
function configuredUpstream({ upstream, env }: SearchOptions): { url: string; from: string; text: string } | undefined {
  if (upstream !== undefined) return { url: withScheme(upstream), from: '--upstream', text: upstream };
  const { OPENAI_BASE_URL: openai, OLLAMA_HOST: ollama } = env;
  if (openai?.trim()) return { url: withScheme(openai.trim()), from: 'OPENAI_BASE_URL', text: openai };
  return ollama?.trim() ? { url: ollamaUrl(ollama.trim()), from: 'OLLAMA_HOST', text: ollama } : undefined;
}

const withScheme = (text: string): string => (/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
const withoutLogin = (text: string): string => text.replace(/(^|\/\/)[^/@]*@/, '$1');

/** The address in OLLAMA_HOST, which servers also use as the address to listen on: `0.0.0.0`, `:11434`, `host`. */
function ollamaUrl(text: string): string {
  const hasScheme = text.includes('://');
  const bare = hasScheme ? text : `http://${text.startsWith(':') ? `127.0.0.1${text}` : text}`;
  if (!URL.canParse(bare)) return bare;
  const url = new URL(bare);
  if (!hasScheme && url.port === '' && !/:80(?:\/|$)/.test(text)) url.port = '11434';
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = '127.0.0.1';
  return url.href.replace(/\/$/, '');
}

/** Variables with the keys of hosted services. A key is only sent to its own service. */
const keyVariables: readonly (readonly [host: RegExp, variable: string])[] = [
  [/(?:^|\.)openrouter\.ai$/, 'OPENROUTER_API_KEY'],
  [/^api\.deepseek\.com$/, 'DEEPSEEK_API_KEY'],
  [/^api\.groq\.com$/, 'GROQ_API_KEY'],
  [/^api\.mistral\.ai$/, 'MISTRAL_API_KEY'],
  [/^api\.together\.(?:xyz|ai)$/, 'TOGETHER_API_KEY'],
  [/^api\.fireworks\.ai$/, 'FIREWORKS_API_KEY'],
  [/^api\.cerebras\.ai$/, 'CEREBRAS_API_KEY'],
  [/^api\.x\.ai$/, 'XAI_API_KEY'],
];

/** The headers with the key: of `--key-env`, of the service at this URL, or the one that belongs to OPENAI_BASE_URL. */
function keyHeaders(root: URL, { upstream, keyVariable, env }: SearchOptions): Record<string, string> {
  const service = Object.values(services).find(({ base }) => new URL(base).origin === root.origin);
  const header = service?.keyHeader ?? services.openai.keyHeader;
  if (keyVariable !== undefined) {
    const key = env[keyVariable]?.trim();
    if (!key) throw new UsageError(`Invalid --key-env: the environment variable ${keyVariable} is not set`);
    return header(key);
  }
  const known = keyVariables.find(([host]) => host.test(root.hostname))?.[1];
  const paired = upstream === undefined && env.OPENAI_BASE_URL?.trim() ? ['OPENAI_API_KEY'] : [];
  const names = [...(service?.keyVariables ?? []), ...(known === undefined ? [] : [known]), ...paired];
  const key = names.map((name) => env[name]?.trim()).find((value) => value);
  return key ? header(key) : {};
}

interface Place {
  readonly url: string;
  readonly root: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads what a server reports about itself; `locked` if it requires a key, undefined if it doesn't respond. */
async function readServer({ url, root, headers }: Place, timeout: number): Promise<ModelServer | 'locked' | undefined> {
  const hosted = isHosted(root);
  const page = (path: string) => fetchJson(endpoint(root, path), { headers, timeout });
  const signal = AbortSignal.timeout(timeout);
  const target = { root, model: '', timeout, maxTokens: 1, signal };
  // A hosted service has none of the other pages.
  const [list, studio, running, facts] = await Promise.all([
    page('/v1/models'),
    hosted ? undefined : page('/api/v0/models'),
    hosted ? undefined : page('/api/ps'),
    hosted ? undefined : serverFacts(target, headers),
  ]);
  if (list.type === 'silent') return undefined;
  if (list.status === 401 || list.status === 403) return 'locked';
  const cards = cardsIn(pageOf(list), 'data');
  const details = studio ? cardsIn(pageOf(studio), 'data') : undefined;
  const isStudio = details?.some(({ max_context_length: most }) => typeof most === 'number') ?? false;
  const loaded = new Set(running ? cardsIn(pageOf(running), 'models')?.map(({ name }) => name) : []);
  const names = { ollama: 'Ollama', 'llama.cpp': 'llama-server', vllm: 'vLLM' } as const;
  const kind = facts?.kind;
  const name = kind && kind in names ? names[kind as keyof typeof names] : isStudio ? 'LM Studio' : 'server';
  const listed = isStudio ? details : cards;
  const models = listed?.filter(isChatModel).map((card): ListedModel => {
    const tokens = card.loaded_context_length ?? card.max_context_length ?? card.max_model_len;
    return {
      id: String(card.id),
      loaded: card.state === 'loaded' || loaded.has(card.id),
      ...(typeof tokens === 'number' && { context: tokens }),
    };
  });
  const all = [...(listed ?? []), ...(cards ?? [])].map(({ id }) => String(id));
  return { name, url, root, headers, hosted, models, names: [...new Set(all)] };
}

function cardsIn(body: JsonObject, key: string): JsonObject[] | undefined {
  const list = body[key];
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

/** Servers list embedding models, too. */
const isChatModel = ({ id, type }: JsonObject): boolean =>
  typeof id === 'string' && type !== 'embeddings' && !/(?:^|[-_/:.])(?:embed|embedding|reranker)/i.test(id);

/** Whether a listed name is the wanted one. Ollama adds a tag to names without one. */
export const isNamed = (id: string, wanted: string | undefined): boolean =>
  wanted !== undefined && (id === wanted || id === `${wanted}:latest`);
