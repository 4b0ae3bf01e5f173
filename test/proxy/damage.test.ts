/** The table of damaged calls through the proxy: the same outcomes as out of the library, and what can't be mended to the byte. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/json/limits.ts';
import { readJson } from '../../src/json/read-json.ts';
import { isObject } from '../../src/json/value.ts';
import { mend } from '../../src/mend/mend.ts';
import type { BadOutcome } from '../../src/mend/outcome.ts';
import { parseArguments } from '../../src/mend/parse-arguments.ts';
import type { CallPart, ToolSpec, TurnEvent, TurnRequest, TurnResponse } from '../../src/model/index.ts';
import { anthropicMessages } from '../../src/provider/wire/anthropic/index.ts';
import { decodeStream } from '../../src/provider/wire/decode-stream.ts';
import { WireError } from '../../src/provider/wire/errors.ts';
import { geminiContent } from '../../src/provider/wire/gemini/index.ts';
import { ollamaChat } from '../../src/provider/wire/ollama/index.ts';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../src/provider/wire/openai-responses/index.ts';
import { eventsOf } from '../../src/provider/wire/turn-assembler.ts';
import type { Provider } from '../../src/provider/wire/types.ts';
import { toolboxCache } from '../../src/proxy/request/plan-request.ts';
import { damages } from '../damage/damages.ts';
import type { Definition } from '../damage/definition.ts';
import { allTrials } from '../damage/tally.ts';
import { sameJson, type Trial } from '../damage/trial.ts';
import { isLong } from '../sample.ts';
import { closeAll, proxied } from './around.ts';

const seed = Number(process.env.TOOLMEND_SEED ?? 1);
const perKind = Number(process.env.TOOLMEND_TRIES ?? (isLong ? 3 : 1));
const toolboxOf = toolboxCache();
const answers = new Map<string, { bytes: Buffer; type: string }>();
let url = '';
/** How many were sent: their number, and the size of the pieces they come in. */
let trials = 0;

beforeAll(async () => {
  const proxy = await proxied((response, { headers }) => {
    const { bytes, type } = answers.get(String(headers['x-trial'])) ?? { bytes: Buffer.from('{}'), type: 'text/plain' };
    response.writeHead(200, { 'content-type': type }).end(bytes);
  });
  url = proxy.url;
});
afterAll(closeAll);

const paths: Readonly<Record<string, string>> = { 'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta' };
const types = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

/** What an upstream says when its model made this call. */
function said(wire: Provider, { call }: Trial, streamed: boolean): Buffer {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  const part: CallPart = { type: 'call', id: 'call_1', name: call.name, arguments: given(wire, text, streamed) };
  const finish = call.finishReason ?? 'tool_calls';
  const response: TurnResponse = { id: 'r1', model: 'm', message: { role: 'assistant', parts: [part] }, finish };
  if (!streamed) return Buffer.from(JSON.stringify(wire.writeResponse(response).wire, null, 1));
  const writer = wire.writeStream();
  return Buffer.from([...eventsOf(response, 1 + (trials % 7))].map((event) => writer.write(event)).join(''));
}

/** Arguments in the form in which a wire has them. */
function given(wire: Provider, text: string, streamed: boolean): unknown {
  if (wire.format.startsWith('openai') || (wire.format === 'anthropic' && streamed)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return { value: text };
  }
}

function heard(wire: Provider, bytes: Buffer, streamed: boolean): TurnResponse | undefined {
  if (!streamed) return wire.readResponse(JSON.parse(bytes.toString()));
  let last: TurnEvent | undefined;
  const decoder = decodeStream(wire, (event) => {
    last = event;
  });
  decoder.feed(bytes);
  decoder.end();
  return last && 'response' in last ? last.response : undefined;
}

/** What no reader takes is passed on as it came. */
function reading<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

const callsOf = (response: TurnResponse | undefined): CallPart[] =>
  response?.message.parts.flatMap((part) => (part.type === 'call' ? [part] : [])) ?? [];

const asked = (wire: Provider, tools: readonly Definition[], stream: boolean): [path: string, body: object] => {
  const specs: ToolSpec[] = tools.map(({ name, description, inputSchema: schema }) => ({
    type: 'function',
    name,
    description,
    schema,
  }));
  const request: TurnRequest = {
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }],
    tools: specs,
    stream,
  };
  const path = wire.pathOf(request);
  return [
    path.startsWith(paths[wire.format] ?? '') ? path : `${paths[wire.format]}${path}`,
    wire.writeRequest(request).wire as object,
  ];
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text}`;
  }
}

const isJson = (text: string): boolean => !String(parsed(text)).startsWith('no JSON');

/** Whether a refused call passes: it is complete, and the format of the client has a word for its arguments. */
function isSaid(wire: Provider, { errorType, raw }: BadOutcome, written: unknown): boolean {
  if (errorType === 'truncated') return false;
  if (typeof written !== 'string')
    return isObject(written) && parseArguments({ ...raw, found: [] }, undefined, defaultLimits).problems.length === 0;
  const { value, problems, repairs, marks } = readJson(written);
  // The client's parser would keep the last value.
  if (isJson(written) && problems.some(({ code }) => code === 'duplicate_key')) return false;
  if (parseArguments(raw, undefined, defaultLimits).problems.some(({ code }) => code === 'truncated')) return false;
  return (
    wire.format.startsWith('openai') ||
    written.trim() === '' ||
    (isObject(value) && problems.length === 0 && repairs.length === 0 && !marks?.unsafe)
  );
}

/** Sends one damaged call through the proxy, and holds what comes out to what the library says. */
async function pass(wire: Provider, trial: Trial, streamed: boolean): Promise<'same' | 'mended' | 'withheld'> {
  const id = `t${trials++}`;
  const bytes = said(wire, trial, streamed);
  answers.set(id, { bytes, type: streamed ? types[wire.framing] : 'application/json' });
  const [path, body] = asked(wire, trial.tools, streamed);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-trial': id, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const out = Buffer.from(await response.arrayBuffer());
  answers.delete(id);
  const came = reading(() => heard(wire, bytes, streamed));
  const [written] = callsOf(came);
  const toolbox = toolboxOf(wire, body);
  const outcome = written && toolbox && mend({ ...written, finishReason: came?.finish }, toolbox);
  const told = `${wire.format} ${streamed ? 'streamed' : 'whole'} ${trial.kind.name} seed ${trial.seed}: ${JSON.stringify(trial.call)}`;
  // What a reader of streams refuses for its depth is withheld too.
  // A call that names nothing is none, and what nobody can read is no answer.
  if (came?.ignored || out.includes("response can't be read")) {
    expect(callsOf(reading(() => heard(wire, out, streamed))), told).toEqual([]);
    return 'withheld';
  }
  const unsaid = outcome
    ? outcome.status === 'invalid' && !isSaid(wire, outcome, written?.arguments)
    : out.includes("The call to '");
  if (unsaid) {
    const { message, finish } = heard(wire, out, streamed) as TurnResponse;
    expect(message.parts, told).toEqual([expect.objectContaining({ type: 'text' })]);
    const note = message.parts.map((part) => 'text' in part && part.text).join('');
    expect(note, told).toContain('The call to ');
    expect(finish, told).toBe(note.includes('was cut off') ? 'length' : 'stop');
    return 'withheld';
  }
  if (outcome?.status !== 'mended') {
    expect(out.toString().replace(/: toolmend .*\n\n$/, ''), told).toBe(bytes.toString());
    return 'same';
  }
  const [call] = callsOf(heard(wire, out, streamed));
  expect(call?.name, told).toBe(outcome.name);
  const input = typeof call?.arguments === 'string' ? parsed(call.arguments) : call?.arguments;
  expect(sameJson(input, outcome.input), `${told}\n${JSON.stringify(input)}`).toBe(true);
  return 'mended';
}

/** A few trials of a kind, on tools that lie apart. */
function some(kind: (typeof damages)[number], count: number, from: number): Trial[] {
  const all = allTrials(kind, 1, seed);
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, at) => at % step === from % step).slice(0, count);
}

describe('guard: the table of damaged calls, through the proxy', () => {
  const counts = { same: 0, mended: 0, withheld: 0 };
  it.each(damages.map((kind, at) => [kind.name, kind, at] as const))('%s', async (_, kind, at) => {
    for (const trial of some(kind, perKind, at)) {
      counts[await pass(openaiChat, trial, true)] += 1;
      counts[await pass(openaiChat, trial, false)] += 1;
    }
    const others = [openaiResponses, anthropicMessages, geminiContent, ollamaChat];
    const other = others[at % others.length] as Provider;
    const [sample] = some(kind, 1, at + 1);
    if (sample) for (const streamed of [true, false]) counts[await pass(other, sample, streamed)] += 1;
  });

  it('has many calls of both kinds', () => {
    expect(counts.mended).toBeGreaterThan(damages.length);
    expect(counts.same).toBeGreaterThan(damages.length);
    expect(counts.withheld).toBeGreaterThan(20);
  });
});
