import { readCalls } from '../../dialect/read-calls.ts';
import { mend } from '../../mend/mend.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { CallPart, Format, Model, ModelRequest, TurnError, TurnResponse } from '../../model/index.ts';
import { displayUrl, endpoint, excerpt } from '../../provider/client/endpoint.ts';
import { type Fetch, httpFetch } from '../../provider/client/fetch.ts';
import { sendRequest } from '../../provider/client/request.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { fitRequest as fitTo } from '../../provider/compat/fit-request.ts';
import { rootPath } from '../../provider/wire/route.ts';
import { headersOf, servedFormat } from './http-probe.ts';
import { toolbox } from './prompts.ts';
import type { ProbeTarget } from './types.ts';

/**
 * A model that sends a request once, without retries or fallbacks, so that the result is what any other client would
 * get.
 */
export function probedModel(patient: ProbeTarget, format: Format, stream: boolean): Model {
  const { wire, service } = servedFormat(format);
  const { root, model, maxTokens, timeout: patience } = patient;
  const target = root.href.startsWith(new URL(service.base).origin) ? service.target : service.elsewhere;
  return {
    name: model,
    provider: service.provider,
    async *stream(question) {
      const { request, undoEvent } = fitTo({ maxTokens, ...question, model, stream }, target);
      const url = endpoint(root, rootPath(wire, wire.pathOf(request)));
      const asking = {
        provider: wire,
        url,
        fetch: httpFetch(10_000) as Fetch,
        headers: { 'content-type': 'application/json', ...headersOf(patient, format) },
        body: JSON.stringify(wire.writeRequest(request).wire),
        timeouts: { connect: 10_000, firstByte: patience, idle: patience },
        about: {
          label: displayUrl(root),
          model,
          where: displayUrl(url),
          variable: '--key-env',
          keyed: patient.apiKey !== undefined,
        },
      };
      const signal = AbortSignal.any([patient.signal, AbortSignal.timeout(patience)]);
      for await (const event of sendRequest(asking, signal)) yield undoEvent(event);
    },
  };
}

/** The result of one request. */
export interface Probe {
  readonly response: TurnResponse;
  readonly error?: TurnError;
  /** Number of deltas in a call's arguments. */
  readonly pieces: number;
}

/** Sends one request, and waits for the complete response. */
export async function probe(model: Model, question: ModelRequest): Promise<Probe> {
  let pieces = 0;
  const calls = new Set<number>();
  for await (const event of model.stream(question)) {
    if (event.type === 'part.started' && event.part.type === 'call') calls.add(event.index);
    else if (event.type === 'part.delta' && calls.has(event.index)) pieces += 1;
    else if (event.type === 'turn.finished') return { response: event.response, pieces };
    else if (event.type === 'turn.failed') return { response: event.response, error: event.error, pieces };
  }
  return {
    response: nothing,
    error: { kind: 'protocol', message: 'The response did not end', retryable: false },
    pieces,
  };
}

const nothing: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };

/** The result of a request for a call. */
export type ProbedCall =
  /** A native call. */
  | { readonly way: 'native'; readonly calls: readonly Outcome[] }
  /** A call in text. */
  | { readonly way: 'text'; readonly dialect: string; readonly said: string }
  /** The server couldn't parse the call and quotes it, and it can be read here. */
  | { readonly way: 'unread'; readonly said: string }
  | { readonly way: 'refused'; readonly said: string }
  /** The token limit was reached first. */
  | { readonly way: 'cut' }
  | { readonly way: 'none'; readonly said: string };

/** Finds the calls in a response. */
export function readProbe({ response, error }: Probe, question: ModelRequest): ProbedCall {
  if (error) {
    const said = error.message;
    return rescueCall(error, question) ? { way: 'unread', said } : { way: 'refused', said };
  }
  const { parts } = response.message;
  const native = parts.filter((part): part is CallPart => part.type === 'call');
  if (native.length > 0) return { way: 'native', calls: native.map((part) => mend(part, toolbox)) };
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const { calls, dialect } = readCalls(text, toolbox);
  if (calls.some(({ name }) => toolbox.has(name))) return { way: 'text', dialect, said: excerpt(text, 80) };
  if (response.finish === 'length') return { way: 'cut' };
  return { way: 'none', said: text.trim() === '' ? 'an empty response' : excerpt(text, 80) };
}
