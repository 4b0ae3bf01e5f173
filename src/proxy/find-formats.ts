import { isObject } from '../json/value.ts';
import { endpoint } from '../provider/client/endpoint.ts';
import type { LoweringTarget } from '../provider/fit/lowering-target.ts';
import type { Format } from '../turn/turn.ts';
import { serviceAt } from './known-services.ts';
import { type Probed, probe } from './probe.ts';

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
  /** How long each question may take, in milliseconds; 2 s unless it is said. */
  readonly timeout?: number;
}

/** Wires that are known by their path: a question without a model and words is refused there, and not found elsewhere. */
const paths: readonly (readonly [Format, string])[] = [
  ['openai-chat', '/v1/chat/completions'],
  ['openai-responses', '/v1/responses'],
  ['anthropic', '/v1/messages'],
];
const nowhere = '/v1/toolmend/nothing-is-here';

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
  const at = (path: string, method: 'GET' | 'POST' = 'GET'): Promise<Probed | undefined> =>
    probe(endpoint(base, path), method, options);
  const [ollama, models, listed, absent, ...served] = await Promise.all([
    at('/api/version'),
    at('/v1beta/models'),
    at('/v1/models'),
    at(nowhere, 'POST'),
    ...paths.map(([, path]) => at(path, 'POST')),
  ]);
  const answers = [ollama, models, listed, absent, ...served];
  if (answers.every((answer) => answer === undefined))
    return { formats: [], target: 'plain', why: `nothing answers at ${base.origin}` };
  const found: Format[] = paths.flatMap(([format], at) => (isServed(served[at], absent) ? [format] : []));
  const version = versionOf(ollama);
  if (version !== undefined) found.unshift('ollama');
  if (isGemini(models)) found.push('gemini');
  if (found.length > 0) return { formats: found, target: targetOf(found), why: said(found, version) };
  return byRefusal(answers) ?? { formats: ['openai-chat'], target: 'plain', why: guessed };
}

const guessed = 'it shows no wire that is known; taken for openai, and --format says otherwise';

/** It is there, and says so otherwise than of what is not there. */
const isServed = (answer: Probed | undefined, absent: Probed | undefined): boolean =>
  answer !== undefined && ![404, 405, 501].includes(answer.status) && answer.status !== absent?.status;

const versionOf = (answer: Probed | undefined): string | undefined =>
  answer?.status === 200 && isObject(answer.body) && typeof answer.body.version === 'string'
    ? answer.body.version
    : undefined;

const isGemini = (answer: Probed | undefined): boolean =>
  answer?.status === 200 &&
  isObject(answer.body) &&
  Array.isArray(answer.body.models) &&
  answer.body.models.some((model) => isObject(model) && String(model.name).startsWith('models/'));

/** Who holds a model to a schema by a grammar takes less than those who are named after a wire. */
const targetOf = ([first]: readonly Format[]): LoweringTarget =>
  first === 'anthropic' || first === 'gemini' ? first : 'plain';

function said(found: readonly Format[], version: string | undefined): string {
  return `${version === undefined ? 'it was asked' : `it is Ollama ${version}`}; it answers to ${found.join(', ')}`;
}

function byRefusal(answers: readonly (Probed | undefined)[]): FoundFormats | undefined {
  for (const [format, isTheirs] of refusals) {
    const shown = answers.some((answer) => {
      const body = answer && answer.status >= 400 && isObject(answer.body) ? answer.body : {};
      return isObject(body.error) && isTheirs(body.error, body);
    });
    if (shown) return { formats: [format], target: targetOf([format]), why: `it refuses in the words of ${format}` };
  }
  return undefined;
}
