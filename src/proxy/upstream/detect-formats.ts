import { checkArgument, isObject } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { rootPath, wires } from '../../provider/wire/route.ts';
import { fetchJson, pageOf, type ServerReply } from './http.ts';

/** The API formats of an upstream, and how they were detected. */
export interface DetectedFormats {
  /** Preferred format for translation first; empty if there is no response. */
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
  /** The evidence, in a sentence. */
  readonly why: string;
}

/** Options of the detection. */
export interface DetectOptions {
  /** Sent with each request; includes the upstream's key, if the proxy has one. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Timeout of each request in milliseconds.
   * @default 5_000
   */
  readonly timeout?: number;
}

const patience = 5000;
/** Formats that are detected with an empty request. The others have status pages. */
const byRequest = ['openai-chat', 'openai-responses', 'anthropic'] as const;
/** Some servers check this header first. */
const version = { 'anthropic-version': '2023-06-01' };

/** Recognizes the format of an error, for servers that require a key before anything else. */
const refusals: readonly (readonly [
  Format,
  (error: Record<string, unknown>, body: Record<string, unknown>) => boolean,
])[] = [
  ['anthropic', (_, body) => body.type === 'error'],
  ['gemini', (error) => typeof error.code === 'number' && typeof error.status === 'string'],
  ['openai-chat', (error) => 'type' in error || 'code' in error],
];

/**
 * Detects the API formats of a server, by its host name if known, otherwise with requests. None of them runs a model.
 */
export async function detectFormats(url: string, options: DetectOptions = {}): Promise<DetectedFormats> {
  checkArgument(typeof url === 'string' && URL.canParse(url), 'url', 'a URL such as http://127.0.0.1:11434', url);
  const base = new URL(url);
  const known = knownFormats(url);
  if (known) return known;
  const { timeout = patience } = options;
  const headers = { ...version, ...options.headers };
  const page = (path: string): Promise<ServerReply> => fetchJson(endpoint(base, path), { headers, timeout });
  const [ollama, models, listed, { wires, wall, heard }] = await Promise.all([
    page('/api/version'),
    page('/v1beta/models'),
    page('/v1/models'),
    wiresServed((path) => fetchJson(endpoint(base, path), { headers, timeout, body: {} }), byRequest),
  ]);
  const answers = [ollama, models, listed, ...heard];
  if (answers.every(({ type }) => type === 'silent'))
    return { formats: [], target: 'plain', why: `No response from ${base.origin}` };
  const found: Format[] = wires.flatMap(({ format, status }) => (status === wall ? [] : format));
  const { version: ofOllama } = pageOf(ollama);
  if (typeof ofOllama === 'string') found.unshift('ollama');
  if (listsGemini(models)) found.push('gemini');
  if (found.length > 0) return { formats: found, target: targetOf(found), why: said(ofOllama) };
  return byRefusal(answers) ?? { formats: ['openai-chat'], target: 'plain', why: guessed };
}

/** The API formats of a known service; undefined if they must be detected. */
export function knownFormats(url: string): DetectedFormats | undefined {
  const base = new URL(url);
  const known = serviceAt(base);
  return known && { ...known, why: `known host ${base.hostname}` };
}

/** Detects the API formats of a server with several URLs, at the first that responds. */
export async function detectAtAny(
  urls: readonly string[],
  options: DetectOptions = {},
  detect: typeof detectFormats = detectFormats,
): Promise<DetectedFormats> {
  const all = await Promise.all(urls.map((url) => detect(url, options)));
  return all.find(({ formats }) => formats.length > 0) ?? (all[0] as DetectedFormats);
}

const guessed = 'no known API format detected; using openai, which you can change with --format';

function listsGemini(heard: ServerReply): boolean {
  const { models } = pageOf(heard);
  return Array.isArray(models) && models.some((model) => isObject(model) && String(model.name).startsWith('models/'));
}

/** Servers that enforce schemas with grammars support less than the provider of a format. */
const targetOf = ([first]: readonly Format[]): LoweringTarget =>
  first === 'anthropic' || first === 'gemini' ? first : 'plain';

function said(ollama: unknown): string {
  return typeof ollama === 'string' ? `detected Ollama ${ollama}` : 'detected';
}

function byRefusal(answers: readonly ServerReply[]): DetectedFormats | undefined {
  for (const [format, isTheirs] of refusals) {
    const shown = answers.some((answer) => {
      const body = answer.type === 'answered' && answer.status >= 400 ? (answer.body ?? {}) : {};
      return isObject(body.error) && isTheirs(body.error, body);
    });
    if (shown)
      return { formats: [format], target: targetOf([format]), why: `detected from an error in the format ${format}` };
  }
  return undefined;
}

/** An API format, and the status of an empty request. */
export interface ServedWire {
  readonly format: Format;
  readonly status: number;
}

/** The API formats that a server exposes. */
interface ServedWires {
  readonly wires: readonly ServedWire[];
  /** The status for unknown paths, if the server requires a key before anything else. */
  readonly wall: number | undefined;
  /** All responses. */
  readonly heard: readonly ServerReply[];
}

const nowhere = '/v1/toolmend/nothing-is-here';
const absent = new Set([301, 302, 303, 307, 308, 404, 405, 501]);
const closed = new Set([401, 403]);

/**
 * Detects the API formats of a server: an empty request to a supported path is rejected differently from an unknown
 * path. It costs no tokens.
 *
 * @param ask sends an empty object to a path, with the headers of the format
 */
export async function wiresServed(
  ask: (path: string, format: Format) => Promise<ServerReply>,
  formats: readonly [Format, ...Format[]],
  model = '',
): Promise<ServedWires> {
  const pathOf = (format: Format): string => rootPath(wires[format], wires[format].pathOf({ model, messages: [] }));
  const [none, ...heard] = await Promise.all([
    ask(nowhere, formats[0]),
    ...formats.map((format) => ask(pathOf(format), format)),
  ]);
  const wall = closed.has(statusOf(none)) ? statusOf(none) : undefined;
  const isServed = (said: ServerReply): boolean =>
    said.type === 'answered' &&
    !absent.has(said.status) &&
    !(said.status < 400 && !said.body) &&
    (said.status === wall || said.status !== statusOf(none));
  const served = formats.flatMap((format, at) => {
    const said = heard[at];
    return said && isServed(said) ? [{ format, status: statusOf(said) }] : [];
  });
  return { wires: served, wall, heard: [none, ...heard] };
}

const statusOf = (heard: ServerReply): number => (heard.type === 'answered' ? heard.status : 0);

/** The formats of a known service. */
interface KnownService {
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
}

const chat: KnownService = { formats: ['openai-chat'], target: 'plain' };
const both: KnownService = { formats: ['openai-chat', 'openai-responses'], target: 'openai' };
const anthropic: KnownService = { formats: ['anthropic'], target: 'anthropic' };

/** Known services by host, and by path if a host has several formats. */
const services: readonly (readonly [host: RegExp, path: RegExp, service: KnownService])[] = [
  [/^api[.]openai[.]com$/, /^/, both],
  [/[.]openai[.]azure[.]com$/, /^/, both],
  [/^api[.]anthropic[.]com$/, /^/, anthropic],
  [/^generativelanguage[.]googleapis[.]com$/, /\/openai(?:\/|$)/, chat],
  [/^generativelanguage[.]googleapis[.]com$/, /^/, { formats: ['gemini'], target: 'gemini' }],
  [/[.](?:com|cn|ai|io)$/, /\/anthropic\/?$/, anthropic],
  [/^api[.](?:deepseek|mistral|together|fireworks|cerebras|groq|x)[.](?:com|ai|xyz)$|^openrouter[.]ai$/, /^/, chat],
];

/** The values of `--format`. */
export const namedFormats: Readonly<Record<string, KnownService>> = {
  openai: { formats: ['openai-chat', 'openai-responses'], target: 'plain' },
  anthropic,
  gemini: { formats: ['gemini'], target: 'gemini' },
  ollama: { formats: ['ollama'], target: 'plain' },
};

/** The known service at a URL. */
const serviceAt = ({ hostname, pathname }: URL): KnownService | undefined =>
  services.find(([host, path]) => host.test(hostname) && path.test(pathname))?.[2];
