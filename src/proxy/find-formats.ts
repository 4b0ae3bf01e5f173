import { isObject } from '../json/value.ts';
import { endpoint } from '../provider/client/endpoint.ts';
import type { LoweringTarget } from '../provider/fit/lowering-target.ts';
import type { Format } from '../turn/turn.ts';
import { askJson, type ServerReply } from './ask-json.ts';
import { serviceAt } from './known-services.ts';
import { pageOf } from './page-of.ts';
import { wiresServed } from './wires-served.ts';

/** What an upstream speaks, and how that is known. */
export interface FoundFormats {
  /** The one that others are translated to first; none where nothing answers. */
  readonly formats: readonly Format[];
  readonly target: LoweringTarget;
  /** What was found, in a sentence. */
  readonly why: string;
}

/** Settings of the look. */
export interface FindOptions {
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
export async function findFormats(url: string, options: FindOptions = {}): Promise<FoundFormats> {
  const base = new URL(url);
  const known = serviceAt(base);
  if (known) return { ...known, why: `${base.hostname} is known` };
  const { timeout = patience } = options;
  const headers = { ...version, ...options.headers };
  const page = (path: string): Promise<ServerReply> => askJson(endpoint(base, path), { headers, timeout });
  const [ollama, models, listed, { wires, wall, heard }] = await Promise.all([
    page('/api/version'),
    page('/v1beta/models'),
    page('/v1/models'),
    wiresServed((path) => askJson(endpoint(base, path), { headers, timeout, body: {} }), byRequest),
  ]);
  const answers = [ollama, models, listed, ...heard];
  if (answers.every(({ type }) => type === 'silent'))
    return { formats: [], target: 'plain', why: `nothing answers at ${base.origin}` };
  const found: Format[] = wires.flatMap(({ format, status }) => (status === wall ? [] : format));
  const { version: ofOllama } = pageOf(ollama);
  if (typeof ofOllama === 'string') found.unshift('ollama');
  if (listsGemini(models)) found.push('gemini');
  if (found.length > 0) return { formats: found, target: targetOf(found), why: said(found, ofOllama) };
  return byRefusal(answers) ?? { formats: ['openai-chat'], target: 'plain', why: guessed };
}

const guessed = 'it shows no wire that is known; taken for openai, and --format says otherwise';

function listsGemini(heard: ServerReply): boolean {
  const { models } = pageOf(heard);
  return Array.isArray(models) && models.some((model) => isObject(model) && String(model.name).startsWith('models/'));
}

/** Who holds a model to a schema by a grammar takes less than those who are named after a wire. */
const targetOf = ([first]: readonly Format[]): LoweringTarget =>
  first === 'anthropic' || first === 'gemini' ? first : 'plain';

function said(found: readonly Format[], ollama: unknown): string {
  return `${typeof ollama === 'string' ? `it is Ollama ${ollama}` : 'it was asked'}; it answers to ${found.join(', ')}`;
}

function byRefusal(answers: readonly ServerReply[]): FoundFormats | undefined {
  for (const [format, isTheirs] of refusals) {
    const shown = answers.some((answer) => {
      const body = answer.type === 'answered' && answer.status >= 400 ? (answer.body ?? {}) : {};
      return isObject(body.error) && isTheirs(body.error, body);
    });
    if (shown) return { formats: [format], target: targetOf([format]), why: `it refuses in the words of ${format}` };
  }
  return undefined;
}
