import { isObject, type JsonObject } from '../../json/value.ts';
import { pageOf, type ServerReply } from '../upstream/http.ts';
import { probeHttp } from './http-probe.ts';
import type { ProbeTarget, ServerKind } from './types.ts';

/** What a server reports about itself, without running a model. */
export interface ServerFacts {
  readonly kind: ServerKind;
  /** How it was recognized. */
  readonly evidence: string;
  /** The listed models, if there is a list. */
  readonly models?: readonly string[];
  /** The chat template, and where it was found. */
  readonly template?: { readonly text: string; readonly where: string };
  /** The model's capabilities, as reported by the server. */
  readonly capabilities?: readonly string[];
  /** The context size with its source, and the maximum of the model. */
  readonly context?: { readonly tokens: number; readonly from: string };
  readonly mostContext?: number;
}

/** Requests the status pages of model servers. */
export async function serverFacts(
  patient: ProbeTarget,
  headers: Readonly<Record<string, string>>,
): Promise<ServerFacts | { readonly kind: 'silent'; readonly why: string }> {
  const { model } = patient;
  const list = await probeHttp(patient, '/v1/models', { headers });
  if (list.type === 'silent') return { kind: 'silent', why: list.why };
  const [props, show] = await Promise.all([
    probeHttp(patient, `/props?model=${encodeURIComponent(model)}`, { headers }),
    probeHttp(patient, '/api/show', { headers, body: { model } }),
  ]);
  const cards = cardsIn(list);
  const models = cards.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const known = { ...(cards.length > 0 && { models }) };
  const card = cards.find(({ id }) => id === model) ?? cards[0];
  return {
    ...known,
    ...(llamaFacts(pageOf(props)) ??
      ollamaFacts(pageOf(show)) ??
      vllmFacts(card) ??
      (await otherFacts(patient, headers, list))),
  };
}

const cardsIn = (heard: ServerReply): JsonObject[] => {
  const { data } = pageOf(heard);
  return Array.isArray(data) ? data.filter(isObject) : [];
};

function llamaFacts(props: JsonObject): ServerFacts | undefined {
  const settings = props.default_generation_settings;
  if (!isObject(settings)) return undefined;
  const { chat_template: text, build_info: build } = props;
  return {
    kind: 'llama.cpp',
    evidence: typeof build === 'string' ? `/props, build ${build}` : '/props',
    ...(typeof text === 'string' && text !== '' && { template: { text, where: '/props' } }),
    ...(typeof settings.n_ctx === 'number' && { context: { tokens: settings.n_ctx, from: 'n_ctx in /props' } }),
  };
}

function ollamaFacts(show: JsonObject): ServerFacts | undefined {
  const { template: text, parameters, model_info: info, capabilities } = show;
  if (typeof text !== 'string' && !isObject(info)) return undefined;
  const most = isObject(info)
    ? Object.entries(info).find(([key, value]) => key.endsWith('.context_length') && typeof value === 'number')?.[1]
    : undefined;
  const set = typeof parameters === 'string' ? /^\s*num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined;
  return {
    kind: 'ollama',
    evidence: '/api/show',
    ...(typeof text === 'string' && text !== '' && { template: { text, where: '/api/show' } }),
    ...(Array.isArray(capabilities) && { capabilities: capabilities.filter((one) => typeof one === 'string') }),
    ...(set !== undefined && { context: { tokens: Number(set), from: 'num_ctx of the model' } }),
    ...(typeof most === 'number' && { mostContext: most }),
  };
}

function vllmFacts(card: JsonObject | undefined): ServerFacts | undefined {
  if (card?.owned_by !== 'vllm') return undefined;
  const { max_model_len: tokens } = card;
  return {
    kind: 'vllm',
    evidence: '/v1/models, owned by vllm',
    ...(typeof tokens === 'number' && { context: { tokens, from: 'max_model_len in /v1/models' } }),
  };
}

/** Ollama reports its version even if the model is missing. */
async function otherFacts(
  patient: ProbeTarget,
  headers: Readonly<Record<string, string>>,
  list: ServerReply,
): Promise<ServerFacts> {
  const version = pageOf(await probeHttp(patient, '/api/version', { headers })).version;
  if (typeof version === 'string') return { kind: 'ollama', evidence: `/api/version, ${version}` };
  const status = list.type === 'answered' ? list.status : 0;
  return { kind: 'other', evidence: `status ${status} at /v1/models` };
}

/** The context size of a model loaded by Ollama, which is known only after a request. */
export async function loadedContext(
  patient: ProbeTarget,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const { models } = pageOf(await probeHttp(patient, '/api/ps', { headers }));
  const loaded = Array.isArray(models) ? models.filter(isObject) : [];
  const one = loaded.find(({ name, model }) => [name, model].some((word) => named(word, patient.model)));
  return typeof one?.context_length === 'number' ? one.context_length : undefined;
}

const named = (word: unknown, model: string): boolean => word === model || word === `${model}:latest`;
