import { describe, expect, it } from 'vitest';
import { answer, call, message, text } from '../../../../test/provider/fixtures/openai-responses/responses.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { ResultPart, TurnRequest } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { openaiResponses } from './index.ts';

const { readRequest, readResponse, readTools, writeRequest, writeResponse, writeTools } = openaiResponses;

const asking = (...messages: TurnRequest['messages']): TurnRequest => ({ model: 'm', messages });
const result = (more: Partial<ResultPart>): TurnRequest =>
  asking({ role: 'user', parts: [{ type: 'result', callId: 'c', content: [], ...more }] });

describe('tools', () => {
  it('S3.6 are flat functions, and an empty list stays empty', () => {
    const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } };
    const tools = [{ type: 'function' as const, name: 'f', description: 'd', schema, strict: true }];
    const wire = [{ type: 'function', name: 'f', description: 'd', parameters: schema, strict: true }];
    expect(writeTools(tools)).toEqual(wire);
    expect(readTools(wire)).toEqual(tools);
    expect([writeTools([]), readTools([])]).toEqual([[], []]);
  });

  it('S3.6 without a schema accept an object', () => {
    expect(writeTools([{ type: 'function', name: 'f' }])).toEqual([
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('of another provider are omitted with a warning', () => {
    const request: TurnRequest = {
      ...asking({ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }),
      tools: [{ type: 'opaque', format: 'anthropic', value: { type: 'bash_20250124', name: 'bash' } }],
    };
    const { wire, warnings } = writeRequest(request);
    expect(wire.tools).toEqual([]);
    expect(warnings.map(({ where }) => where)).toEqual(['tools.0']);
  });
});

describe('results', () => {
  const payload = JSON.stringify({ ok: false, error: 'No such town', errorType: 'logical', retryable: true });

  it('S1.4 contain the complete payload, and S0.5 the text says that it is an error', () => {
    const { wire, warnings } = writeRequest(result({ content: [{ type: 'text', text: payload }], isError: true }));
    expect(wire.input).toEqual([{ type: 'function_call_output', call_id: 'c', output: payload }]);
    expect(warnings.map(({ where }) => where)).toEqual(['messages.0.parts.0.isError']);
  });

  it.each<[string, ResultPart['content'], unknown]>([
    ['words', [{ type: 'text', text: 'No such town' }], 'Error: No such town'],
    ['words that say it', [{ type: 'text', text: 'Error: none' }], 'Error: none'],
    ['nothing', [], 'Error'],
  ])('S0.5 an error of %s reaches the model as one', (_, content, output) => {
    expect(writeRequest(result({ content, isError: true })).wire.input).toMatchObject([{ output }]);
  });

  it('between text are sent in order, as separate items', () => {
    const parts = [
      { type: 'result' as const, callId: 'a', content: [{ type: 'text' as const, text: '1' }] },
      { type: 'text' as const, text: 'Go on' },
      { type: 'result' as const, callId: 'b', content: [{ type: 'text' as const, text: '2' }] },
    ];
    expect(writeRequest(asking({ role: 'user', parts })).wire.input).toEqual([
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { role: 'user', content: 'Go on' },
      { type: 'function_call_output', call_id: 'b', output: '2' },
    ]);
  });
});

describe('the history', () => {
  it('C19 keeps invalid JSON arguments as text, and changes nothing else', () => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a": tru', status: 'completed' },
      { type: 'function_call', call_id: 'b', name: 'f', arguments: '' },
      { type: 'function_call_output', call_id: 'a', output: 'Error: no JSON' },
    ];
    expect(writeRequest(readRequest({ model: 'm', input })).wire.input).toEqual(input);
  });

  it('writes arguments that are values as JSON', () => {
    const call = { type: 'call' as const, id: 'a', name: 'f', arguments: { a: 1 } };
    expect(writeRequest(asking({ role: 'assistant', parts: [call] })).wire.input).toMatchObject([
      { arguments: '{"a":1}' },
    ]);
  });

  it('joins what the model wrote between two messages, and the results after it', () => {
    const { messages } = readRequest({
      model: 'm',
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA=' },
        { role: 'assistant', content: 'Let me see.' },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: '1' },
        { type: 'function_call_output', call_id: 'b', output: '2' },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'reasoning', 'text', 'call', 'call'],
      ['user', 'result', 'result'],
      ['user', 'text'],
    ]);
    expect(messages[1]?.parts[0]).toEqual({
      type: 'reasoning',
      text: '',
      id: 'rs_1',
      hidden: true,
      signature: { format: 'openai-responses', value: 'gAAAA=' },
    });
  });

  it("omits other providers' signatures and hidden content with a warning", () => {
    const { wire, warnings } = writeRequest(
      asking({
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm', signature: { format: 'anthropic', value: 's' } },
          { type: 'opaque', format: 'gemini', value: { executableCode: {} } },
          { type: 'text', text: 'So', passthrough: { format: 'anthropic', fields: { citations: [] } } },
          { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } },
        ],
      }),
    );
    expect(wire.input).toEqual([{ role: 'assistant', content: 'So' }]);
    expect(new Set(warnings.map(({ where }) => where))).toEqual(
      new Set([
        'messages.0.parts.0',
        'messages.0.parts.0.signature',
        'messages.0.parts.1',
        'messages.0.parts.2.passthrough',
        'messages.0.parts.3',
      ]),
    );
  });

  it('warns about settings that the format lacks', () => {
    const request: TurnRequest = {
      ...asking({ role: 'user', parts: [{ type: 'media', mediaType: 'audio/wav', source: { data: 'AAAA' } }] }),
      stop: ['x'],
      reasoning: { enabled: true, budget: 1000 },
    };
    const { warnings } = writeRequest(request);
    expect(warnings.map(({ where }) => where).sort()).toEqual([
      'messages.0',
      'messages.0.parts.0',
      'reasoning.budget',
      'stop',
    ]);
  });
});

describe('F9 a key named __proto__', () => {
  it('is not passed on by any object', () => {
    const odd = '"__proto__":{"polluted":true}';
    const wire = JSON.parse(
      `{"model":"m",${odd},"input":[{"role":"assistant",${odd},"content":[{"type":"output_text","text":"a",${odd}}]},{"role":"user",${odd},"content":"b"}]}`,
    );
    const seen = JSON.stringify(readRequest(wire), (_, value) => {
      if (typeof value === 'object' && value !== null) expect('polluted' in value).toBe(false);
      return value;
    });
    expect(seen).not.toContain('polluted');
  });
});

describe('responses', () => {
  it('S3.7 return calls in one shape', () => {
    const response = readResponse(answer([message([text('Hi')]), call('1', 'f', '{"a":1}')]));
    expect(response).toMatchObject({
      id: 'resp_1',
      model: 'm-2026',
      finish: 'tool_calls',
      usage: { input: 291, output: 23, cached: 128 },
      message: {
        role: 'assistant',
        parts: [{ text: 'Hi' }, { type: 'call', id: 'call_1', name: 'f', arguments: '{"a":1}' }],
      },
    });
  });

  it('S4.4 omit and record calls without a name', () => {
    const response = readResponse(answer([call('1', '⚙', '{}'), call('2', '', '{}'), call('3', 'f', '{}')]));
    expect(response.message.parts).toMatchObject([{ type: 'call', name: 'f' }]);
    expect(response.ignored).toMatchObject([{ name: '⚙' }, { name: '' }]);
  });

  it.each<[string, JsonObject, string]>([
    ['completed', {}, 'stop'],
    ['cut by length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['cut by length and called complete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['cut by a filter', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filter'],
    ['steered', { status: 'incomplete', incomplete_details: { reason: 'steered' } }, 'other'],
    ['failed', { status: 'failed', error: { code: 'server_error', message: 'm' } }, 'error'],
    ['cancelled', { status: 'cancelled' }, 'other'],
    ['of a state unknown', { status: 'resting' }, 'stop'],
  ])('%s keep their own end reason', (_, more, finish) => {
    expect(readResponse(answer([message([text('Hi')])], more)).finish).toBe(finish);
  });

  it('with a changed end reason return the new one', () => {
    const response = readResponse(answer([message([text('Hi')])]));
    expect(writeResponse({ ...response, finish: 'length' }).wire).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      created_at: 1741386163,
    });
  });
});

describe('refuses invalid requests and names the field', () => {
  it.each<[unknown, string]>([
    [null, 'The body must be an object'],
    [{ model: 'm', input: 5 }, 'input must be a string or a list of items'],
    [{ model: 'm', input: ['x'] }, 'input.0 must be an object'],
    [{ model: 'm', input: [{ role: 'user', content: 5 }] }, 'input.0.content must be a string or a list'],
    [{ model: 'm', input: [{ role: 'user', content: ['x'] }] }, 'input.0.content.0 must be an object'],
    [
      { model: 'm', input: [{ type: 'function_call_output', output: {} }] },
      'input.0.output must be a string or a list',
    ],
    [{ model: 'm', input: 'Hi', tools: [{ type: 'function' }] }, 'tools.0.name must be a string'],
    [{ model: 5, input: 'Hi' }, 'model must be a string'],
  ])('%j', (wire, words) => {
    expect(() => readRequest(wire)).toThrow(WireError);
    expect(() => readRequest(wire)).toThrow(words);
  });

  it('and so is an invalid response', () => {
    expect(() => readResponse({ error: 'x' })).toThrow('output must be a list');
    expect(() => readResponse(answer(['x' as never]))).toThrow('output.0 must be an object');
  });
});

describe('errors', () => {
  it.each([
    [
      429,
      { error: { message: 'Slow', code: 'rate_limit_exceeded' } },
      { kind: 'rate_limit', retryable: true, message: 'Slow' },
    ],
    [429, { error: { message: 'Pay', code: 'insufficient_quota' } }, { kind: 'rate_limit', retryable: false }],
    [
      400,
      { error: { message: 'Bad', type: 'invalid_request_error' } },
      { kind: 'request', code: 'invalid_request_error' },
    ],
    [500, 'oops', { kind: 'server', retryable: true, message: 'oops' }],
    [503, {}, { kind: 'server', message: 'The provider responded with status 503' }],
    [404, { detail: 'Not Found' }, { kind: 'request', message: 'Not Found' }],
  ])('%i %j', (status, body, error) => {
    expect(openaiResponses.readError(status, body)).toMatchObject({ ...error, status });
  });

  it('are written unchanged', () => {
    const body = { error: { message: 'Slow', type: 'tokens', param: null, code: 'rate_limit_exceeded' } };
    expect(openaiResponses.writeError(openaiResponses.readError(429, body))).toEqual(body);
  });
});
