import fc from 'fast-check';
import OpenAI from 'openai';
import type { Response, ResponseCreateParams } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnResponse } from '../../../../test/provider/arbitrary.ts';
import { decoded } from '../../../../test/provider/decoded.ts';
import { requests } from '../../../../test/provider/fixtures/openai-responses/requests.ts';
import { responses } from '../../../../test/provider/fixtures/openai-responses/responses.ts';
import { events, sse, streams } from '../../../../test/provider/fixtures/openai-responses/streams.ts';
import { type Loopback, loopback } from '../../../../test/provider/loopback.ts';
import { eventsOf, streamOf } from '../../../../test/provider/wire-suite.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { AssistantPart, TurnRequest, TurnResponse } from '../../../model/index.ts';
import { openaiResponses } from './index.ts';

let server: Loopback;
let client: OpenAI;

beforeAll(async () => {
  server = await loopback();
  client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(() => server[Symbol.asyncDispose]());

const whole = (body: JsonObject, status = 200): void =>
  server.play({ type: 'application/json', body: JSON.stringify(body), status });
const streamed = (body: string | Uint8Array): void => server.play({ type: 'text/event-stream', body });
/** What the SDK asked last. */
const asked = (): Loopback['asked'][number] => server.asked.at(-1) ?? { path: '', body: {} };
/** What the SDK accumulates from a stream. */
const accumulated = (): Promise<Response> => client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
/** An answer of the SDK, read by us, without what the SDK adds of its own. */
const read = (response: unknown): TurnResponse =>
  bare(openaiResponses.readResponse(JSON.parse(JSON.stringify(response))));
const bare = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'passthrough' ? undefined : inner)));

const schema = { type: 'object' as const, properties: { town: { type: 'string' as const } }, required: ['town'] };

/** A conversation with all that a conversation may hold, in our words and in the SDK's. */
const ours: TurnRequest = {
  model: 'm',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Where is this?' },
        { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } },
        { type: 'media', mediaType: 'image/*', source: { url: 'https://example.com/a.png' } },
        { type: 'media', mediaType: 'application/pdf', source: { data: 'AAAA' }, name: 'a.pdf' },
      ],
    },
    {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: 'I look.',
          id: 'rs_1',
          signature: { format: 'openai-responses', value: 'gAAAA=' },
        },
        { type: 'text', text: 'Let me look.' },
        { type: 'call', id: 'call_1', name: 'get_weather', arguments: '{"town":"Bern"}' },
        { type: 'call', id: 'call_2', name: 'get_weather', arguments: '{"town":"Basel"}' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'result', callId: 'call_1', content: [{ type: 'text', text: '21' }] },
        {
          type: 'result',
          callId: 'call_2',
          content: [
            { type: 'text', text: 'See' },
            { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } },
          ],
        },
      ],
    },
  ],
  tools: [{ type: 'function', name: 'get_weather', description: 'Weather', schema, strict: false }],
  toolChoice: { tool: 'get_weather' },
  parallelCalls: false,
  output: { type: 'schema', name: 'answer', schema, strict: true },
  reasoning: { enabled: true, effort: 'low' },
  maxTokens: 100,
};

const image = 'data:image/png;base64,AAAA';
const theirs: ResponseCreateParams = {
  model: 'm',
  instructions: 'Be brief.',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Where is this?' },
        { type: 'input_image', image_url: image } as never,
        { type: 'input_image', image_url: 'https://example.com/a.png' } as never,
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'I look.' }],
      encrypted_content: 'gAAAA=',
    },
    { role: 'assistant', content: 'Let me look.' },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"town":"Bern"}' },
    { type: 'function_call', call_id: 'call_2', name: 'get_weather', arguments: '{"town":"Basel"}' },
    { type: 'function_call_output', call_id: 'call_1', output: '21' },
    {
      type: 'function_call_output',
      call_id: 'call_2',
      output: [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: image },
      ],
    },
  ],
  tools: [{ type: 'function', name: 'get_weather', description: 'Weather', parameters: schema, strict: false }],
  tool_choice: { type: 'function', name: 'get_weather' },
  parallel_tool_calls: false,
  text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
  reasoning: { effort: 'low' },
  max_output_tokens: 100,
};

describe('requests, compared with the SDK', () => {
  it("equal the SDK's requests, and are read back", async () => {
    whole(responses.words as JsonObject);
    await client.responses.create(theirs);
    expect(asked().path).toBe(`/v1${openaiResponses.pathOf(ours)}`);
    expect(openaiResponses.writeRequest(ours)).toEqual({ wire: asked().body, warnings: [] });
    expect(openaiResponses.readRequest(asked().body)).toEqual(ours);
  });

  it.each(Object.entries(requests))('pass through the SDK unchanged: %s', async (_, { wire }) => {
    whole(responses.words as JsonObject);
    const { stream, ...body } = openaiResponses.writeRequest(openaiResponses.readRequest(wire)).wire;
    await client.responses.create(body as never);
    expect({ ...asked().body, ...(stream !== undefined && { stream }) }).toEqual(wire);
  });
});

const parts: AssistantPart[] = [
  { type: 'reasoning', id: 'rs_1', text: 'Hm.', signature: { format: 'openai-responses', value: 'gAAAA=' } },
  { type: 'text', text: 'Grüße' },
  { type: 'refusal', text: 'Not that.' },
  { type: 'call', id: 'call_1', name: 'f', arguments: '{"a":1}' },
  { type: 'call', id: 'call_2', name: 'g', arguments: '' },
];
const full: TurnResponse = {
  id: 'resp_1',
  model: 'm',
  message: { role: 'assistant', parts },
  finish: 'tool_calls',
  usage: { input: 10, output: 5, cached: 4, reasoning: 2 },
};

describe('responses, compared with the SDK', () => {
  it('S3.7 the SDK reads a complete response as we wrote it', async () => {
    whole(openaiResponses.writeResponse(full).wire);
    const response = await client.responses.create({ model: 'm', input: 'Hi' });
    expect(response.output_text).toBe('Grüße');
    expect(response.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(response.status).toBe('completed');
    expect(response.usage).toEqual({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 5,
      total_tokens: 15,
      output_tokens_details: { reasoning_tokens: 2 },
    });
    expect(read(response)).toEqual(full);
  });

  it('S3.7 the SDK accumulates a stream as we wrote it', async () => {
    streamed(streamOf(openaiResponses, full));
    const response = await accumulated();
    expect(response.output_text).toBe('Grüße');
    expect(read(response)).toEqual(full);
  });

  it('any response, streamed', async () => {
    const reach = {
      ...({ format: 'openai-responses', arguments: 'text', ids: true, settings: [] } as const),
      parts: ['reasoning', 'sealed', 'hidden', 'text', 'refusal', 'call'],
    } as const;
    const roundTrip = fc.asyncProperty(turnResponse(reach), async (response) => {
      streamed(streamOf(openaiResponses, response));
      expect(read(await accumulated())).toEqual(response);
    });
    await fc.assert(roundTrip, { numRuns: 50 });
  });

  it.each(['length', 'filter', 'other'] as const)('a response that ended with %s', async (finish) => {
    const response: TurnResponse = { ...full, finish };
    streamed(streamOf(openaiResponses, response));
    const end = await accumulated();
    expect(end.status).toBe('incomplete');
    expect(read(end)).toEqual(response);
  });

  it('the SDK gets the pieces as they were written', async () => {
    streamed(streamOf(openaiResponses, full));
    const runner = client.responses.stream({ model: 'm', input: 'Hi' });
    const given: Record<string, string> = {};
    runner.on('response.function_call_arguments.delta', ({ item_id, delta }) => {
      given[item_id] = (given[item_id] ?? '') + delta;
    });
    const words: string[] = [];
    runner.on('response.output_text.delta', ({ delta }) => words.push(delta));
    const numbers: number[] = [];
    runner.on('event', ({ sequence_number }) => numbers.push(sequence_number));
    await runner.done();
    expect(Object.values(given)).toEqual(['{"a":1}']);
    expect(words.join('')).toBe('Grüße');
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it('the SDK throws for a failed turn at any time', async () => {
    for (const taken of [0, 1, 4]) {
      const writer = openaiResponses.writeStream();
      const begun = eventsOf(full).slice(0, taken);
      const error = { kind: 'server', message: 'Sorry', retryable: true, code: 'server_error' } as const;
      const text = [...begun, { type: 'turn.failed', error, response: full } as const].map((event) =>
        writer.write(event),
      );
      streamed(text.join(''));
      await expect(accumulated()).rejects.toThrow('Sorry');
      expect(decoded(openaiResponses, text.join('')).at(-1)).toMatchObject({
        type: 'turn.failed',
        error: { kind: 'server', message: 'Sorry', code: 'server_error', retryable: true },
      });
    }
  });

  it('the SDK throws for an error we wrote', async () => {
    const body = openaiResponses.writeError({ kind: 'rate_limit', message: 'Slow down', retryable: true });
    whole(body, 429);
    await expect(client.responses.create({ model: 'm', input: 'Hi' })).rejects.toThrow('429 Slow down');
  });
});

const failing = ['failed', 'an error', 'an error that came first'];

describe('streams of the provider, compared with the SDK', () => {
  const begun = (name: string): string => {
    const list = events[name] ?? [];
    const start = events.words?.slice(0, 1) ?? [];
    return list[0]?.type === 'response.created' ? (streams[name] ?? '') : sse([...start, ...list]);
  };

  it.each(Object.keys(events).filter((name) => !failing.includes(name)))(
    'S3.7 we read the same as the SDK: %s',
    async (name) => {
      streamed(begun(name));
      const response = await accumulated();
      const last = decoded(openaiResponses, begun(name)).at(-1);
      expect(last?.type).toBe('turn.finished');
      if (last?.type === 'turn.finished') expect(bare(last.response)).toEqual(read(response));
    },
  );

  it.each(Object.keys(events).filter((name) => !failing.includes(name)))(
    'the SDK reads the same from what we write again: %s',
    async (name) => {
      const writer = openaiResponses.writeStream();
      const again = decoded(openaiResponses, begun(name)).map((event) => writer.write(event));
      streamed(begun(name));
      const first = await accumulated();
      streamed(again.join(''));
      const second = await accumulated();
      expect(second.output).toEqual(first.output);
      expect(second).toEqual(first);
    },
  );
});
