import type { TurnRequest } from '../../src/model/index.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { anthropicMessages } from '../../src/provider/wire/anthropic/index.ts';
import { geminiContent } from '../../src/provider/wire/gemini/index.ts';
import { ollamaChat } from '../../src/provider/wire/ollama/index.ts';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../src/provider/wire/openai-responses/index.ts';
import type { Provider } from '../../src/provider/wire/types.ts';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { sameJson } from '../damage/trial.ts';
import type { Case } from './case.ts';
import { type Entrance, inputOf, type OpenEntrance, type Seen } from './entrance.ts';
import { type Arrived, readArrived } from './plain-client.ts';
import { kindsOf } from './wanted.ts';

const clientRuns = 'the client runs the tools, not the proxy';
const values = "this API format sends arguments as values, which can't be broken JSON";

/** The proxy before a real server, asked in one wire. */
const proxy = (wire: Provider, streamed: boolean, carries: 'text' | 'values'): Entrance => ({
  name: `proxy, ${wire.format}, ${streamed ? 'streamed' : 'complete'}`,
  column: `proxy: ${wire.format}`,
  hides: {
    run: clientRuns,
    result: clientRuns,
    feedback: "the client receives a call that can't be mended unchanged, and reports it to the model",
  },
  cannot: {
    unnamed: 'the client receives a call without a name unchanged',
    'stray words': 'text without a complete call to an available tool stays text',
    effects: "a request doesn't declare the effects of its tools",
    tries: 'the client reports errors to the model and counts them',
    fallback: 'the client runs the tool named `invalid`',
    rules: clientRuns,
    deadline: clientRuns,
    stop: clientRuns,
    runs: clientRuns,
    ...(carries === 'values' && { 'broken text': values, 'bare value': values, 'exact text': values }),
  },
  open: () => openProxy(wire, streamed),
});

/** One for each format, whole and streamed. */
export const proxies: readonly Entrance[] = [
  proxy(openaiChat, false, 'text'),
  proxy(openaiChat, true, 'text'),
  proxy(openaiResponses, false, 'text'),
  proxy(openaiResponses, true, 'text'),
  proxy(anthropicMessages, false, 'values'),
  proxy(anthropicMessages, true, 'text'),
  proxy(geminiContent, false, 'values'),
  proxy(geminiContent, true, 'values'),
  proxy(ollamaChat, false, 'values'),
  proxy(ollamaChat, true, 'values'),
];

async function openProxy(wire: Provider, streamed: boolean): Promise<OpenEntrance> {
  let plays: Case | undefined;
  let over: (seen: RequestRecord) => void = () => {};
  const upstream = await serveScripted(() => playOf(plays as Case, wire, streamed));
  const running = await createProxy({
    upstreams: [{ url: upstream.url, formats: [wire.format] }],
    onRequest: (seen) => over(seen),
  }).listen();
  return {
    async run(one) {
      plays = one;
      const ended = new Promise<RequestRecord>((resolve) => {
        over = resolve;
      });
      const arrived = await asked(wire, running.url, one, streamed);
      return seenOf(await ended, arrived, await asked(wire, upstream.url, one, streamed));
    },
    async close() {
      await running.close();
      await upstream.close();
    },
  };
}

/** The turn of a case, with arguments in the form in which the wire has them. */
function playOf({ wrote }: Case, { format }: Provider, streamed: boolean) {
  if ('text' in wrote) return { ...wrote, chunk: 7 };
  const isText = format.startsWith('openai') || (format === 'anthropic' && streamed);
  const calls = wrote.calls.map((call) => (isText ? call : { ...call, arguments: inputOf(call.arguments) }));
  return { ...wrote, calls, chunk: 7 };
}

const bases: Readonly<Record<string, string>> = { 'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta' };

async function asked(wire: Provider, url: string, { tools }: Case, stream: boolean): Promise<Arrived> {
  const request: TurnRequest = {
    model: 'm',
    stream,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }],
    tools: tools.map(({ name, description, inputSchema: schema }) => ({ type: 'function', name, description, schema })),
  };
  const path = wire.pathOf(request);
  const base = bases[wire.format] ?? '';
  const answer = await fetch(url + (path.startsWith(base) ? path : base + path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wire.writeRequest(request).wire),
  });
  return readArrived(wire.format, await answer.text(), stream);
}

/** What the proxy says of its calls, and what its client got of them, where one without it gets `direct`. */
const seenOf = ({ calls }: RequestRecord, arrived: Arrived, direct: Arrived): Seen[] =>
  calls.map(({ outcome }, at): Seen => {
    const { name, arguments: given } = arrived.calls[at] ?? { name: 'nothing arrived', arguments: undefined };
    const call = { name, input: inputOf(given) };
    if (outcome.status !== 'invalid') return { verdict: outcome.status, repairs: kindsOf(outcome), call };
    // A call that was found in words has no other form to be compared with than what was read there.
    const written = direct.calls[at] ?? outcome.raw;
    // What may not leave as a call is told in words, which stand where it stood.
    const isWithheld = arrived.calls[at] === undefined && arrived.text.includes(`[The call to '${written.name}' `);
    if (isWithheld) return { verdict: outcome.errorType, call: 'as written' };
    const same = name === written.name && sameJson(call.input, inputOf(written.arguments));
    return { verdict: outcome.errorType, call: same ? 'as written' : call };
  });
