import { isObject } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { rootPath, wires } from '../../provider/wire/route.ts';
import { fetchJson, pageOf, type ServerReply } from './http.ts';

/** What an upstream speaks, and how that is known. */
export interface DetectedFormats {
  /** The one that others are translated to first; none where nothing answers. */
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
  /** What was found, in a sentence. */
  readonly why: string;
}

/** Settings of the look. */
export interface DetectOptions {
  /** Sent with each question; the upstream's own key, where the proxy has one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long each question may take, in milliseconds; 5 s unless it is said. */
  readonly timeout?: number;
}

const patience = 5000;
/** Asked about by an empty request; the others have pages that tell. */
const byRequest = ['openai-chat', 'openai-responses', 'anthropic'] as const;
/** Some servers look for it before anything else. */
const version = { 'anthropic-version': '2023-06-01' };

/** Whose words an error is in, where a server says nothing before it has seen a key. */
const refusals: readonly (readonly [
  Format,
  (error: Record<string, unknown>, body: Record<string, unknown>) => boolean,
])[] = [
  ['anthropic', (_, body) => body.type === 'error'],
  ['gemini', (error) => typeof error.code === 'number' && typeof error.status === 'string'],
  ['openai-chat', (error) => 'type' in error || 'code' in error],
];

/**
 * Finds out which wires a server speaks: by its name where it is known, else by asking it. Nothing that is asked makes a
 * model answer.
 */
export async function detectFormats(url: string, options: DetectOptions = {}): Promise<DetectedFormats> {
  const base = new URL(url);
  const known = serviceAt(base);
  if (known) return { ...known, why: `known host ${base.hostname}` };
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

const guessed = 'no known API format detected; using openai, which you can change with --format';

function listsGemini(heard: ServerReply): boolean {
  const { models } = pageOf(heard);
  return Array.isArray(models) && models.some((model) => isObject(model) && String(model.name).startsWith('models/'));
}

/** Who holds a model to a schema by a grammar takes less than those who are named after a wire. */
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

/** A wire, and the status that an empty request in it got. */
export interface ServedWire {
  readonly format: Format;
  readonly status: number;
}

/** The wires a server speaks, as far as it shows them. */
interface ServedWires {
  readonly wires: readonly ServedWire[];
  /** The status with which what is not there is refused too, where a key is wanted before anything is shown. */
  readonly wall: number | undefined;
  /** All that was said, in whatever words. */
  readonly heard: readonly ServerReply[];
}

const nowhere = '/v1/toolmend/nothing-is-here';
const absent = new Set([301, 302, 303, 307, 308, 404, 405, 501]);
const closed = new Set([401, 403]);

/**
 * Finds the wires a server speaks: an empty request is refused where one is spoken, and otherwise than where nothing is. It
 * costs no token.
 *
 * @param ask sends an empty object to a path, with what the wire wants beside it
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

/** What a service is known to speak. */
interface KnownService {
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
}

const chat: KnownService = { formats: ['openai-chat'], target: 'plain' };
const both: KnownService = { formats: ['openai-chat', 'openai-responses'], target: 'openai' };
const anthropic: KnownService = { formats: ['anthropic'], target: 'anthropic' };

/** By host, and where one host speaks several wires by the path too. */
const services: readonly (readonly [host: RegExp, path: RegExp, service: KnownService])[] = [
  [/^api[.]openai[.]com$/, /^/, both],
  [/[.]openai[.]azure[.]com$/, /^/, both],
  [/^api[.]anthropic[.]com$/, /^/, anthropic],
  [/^generativelanguage[.]googleapis[.]com$/, /\/openai(?:\/|$)/, chat],
  [/^generativelanguage[.]googleapis[.]com$/, /^/, { formats: ['gemini'], target: 'gemini' }],
  [/[.](?:com|cn|ai|io)$/, /\/anthropic\/?$/, anthropic],
  [/^api[.](?:deepseek|mistral|together|fireworks|cerebras|groq|x)[.](?:com|ai|xyz)$|^openrouter[.]ai$/, /^/, chat],
];

/** What `--format` may say, and what it means. */
export const namedFormats: Readonly<Record<string, KnownService>> = {
  openai: { formats: ['openai-chat', 'openai-responses'], target: 'plain' },
  anthropic,
  gemini: { formats: ['gemini'], target: 'gemini' },
  ollama: { formats: ['ollama'], target: 'plain' },
};

/** The service at an address, where it is known by its name. */
const serviceAt = ({ hostname, pathname }: URL): KnownService | undefined =>
  services.find(([host, path]) => host.test(hostname) && path.test(pathname))?.[2];
