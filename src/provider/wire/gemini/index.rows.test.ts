import { describe, expect, it } from 'vitest';
import { requests } from '../../../../test/provider/fixtures/gemini/requests.ts';
import type { TurnRequest } from '../../../model/index.ts';
import { geminiContent } from './index.ts';

const request = (messages: TurnRequest['messages']): TurnRequest => ({ model: 'm', messages });

describe('results', () => {
  it('S0.5 S1.4 a failed call reaches the model as an error with all details', () => {
    const told = JSON.stringify({ ok: false, error: 'No such file', errorType: 'logical', retryable: true });
    const { wire } = geminiContent.writeRequest(
      request([
        { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'read', arguments: {} }] },
        {
          role: 'user',
          parts: [{ type: 'result', callId: 'a', content: [{ type: 'text', text: told }], isError: true }],
        },
      ]),
    );
    expect(wire.contents).toMatchObject([
      {},
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'read', response: { error: told } } }] },
    ]);
  });

  it('match calls by name and order if the format has no ids', () => {
    const named = requests['calls and results without ids, arguments left out, structured results'];
    const { messages } = geminiContent.readRequest(named?.wire);
    const [, asked, given] = messages;
    const made = asked?.parts.map((part) => (part.type === 'call' ? part.id : ''));
    expect(new Set(made).size).toBe(3);
    expect(given?.parts.map((part) => (part.type === 'result' ? part.callId : ''))).toEqual(made);
    expect(given?.parts.map((part) => part.type === 'result' && part.isError === true)).toEqual([false, false, true]);
  });

  it('name the tool, and warn if its name is unknown', () => {
    const { wire, warnings } = geminiContent.writeRequest(
      request([{ role: 'user', parts: [{ type: 'result', callId: 'lost', content: [] }] }]),
    );
    expect(wire.contents).toEqual([
      { role: 'user', parts: [{ functionResponse: { id: 'lost', name: 'lost', response: {} } }] },
    ]);
    expect(warnings).toMatchObject([{ where: 'messages.0.parts.0' }]);
  });
});

describe('S3.6 tools', () => {
  it('an empty list stays an empty list', () => {
    expect(geminiContent.writeTools([])).toEqual([]);
    expect(geminiContent.readTools([])).toEqual([]);
  });

  it("reads the service's type names as JSON Schema's, at any depth", () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', enum: ['STRING'] },
        list: { type: 'ARRAY', items: { anyOf: [{ type: 'NULL' }] } },
      },
    };
    const [read] = geminiContent.readTools([{ function_declarations: [{ name: 'f', parameters }] }]);
    expect(read).toMatchObject({
      schema: {
        type: 'object',
        properties: { type: { type: 'string', enum: ['STRING'] }, list: { items: { anyOf: [{ type: 'null' }] } } },
      },
    });
  });

  it('writes a changed schema to the field it was read from', () => {
    const [read] = geminiContent.readTools([{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] }]);
    if (read?.type !== 'function') throw new Error('No function was read');
    expect(geminiContent.writeTools([{ ...read, schema: { type: 'object', properties: {} } }])).toEqual([
      { functionDeclarations: [{ name: 'f', parameters: { type: 'object', properties: {} } }] },
    ]);
  });
});

describe('both spellings of a field', () => {
  it('are equivalent', () => {
    const snake = {
      system_instruction: { parts: [{ text: 's' }] },
      contents: [
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AA==' } }] },
        { role: 'model', parts: [{ function_call: { name: 'f', args: { snake_key: 1 } }, thought_signature: 'c2ln' }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: { output: 'x' } } }] },
      ],
      generation_config: { max_output_tokens: 5, stop_sequences: ['x'], thinking_config: { thinking_budget: 9 } },
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
    };
    expect(geminiContent.readRequest(snake, { model: 'm' })).toMatchObject({
      messages: [
        { role: 'system' },
        { parts: [{ type: 'media', mediaType: 'image/png', source: { data: 'AA==' } }] },
        { parts: [{ type: 'call', arguments: { snake_key: 1 }, signature: { value: 'c2ln' } }] },
        { parts: [{ type: 'result', name: 'f', content: [{ text: 'x' }] }] },
      ],
      maxTokens: 5,
      stop: ['x'],
      reasoning: { enabled: true, budget: 9 },
      toolChoice: { tool: 'f' },
    });
  });
});

describe('bad bodies', () => {
  it.each([
    [null, 'The body must be an object, not null'],
    [{ contents: {} }, 'contents must be a list, not object'],
    [{ contents: ['x'] }, 'contents.0 must be an object, not string'],
    [{ contents: [{ parts: [1] }] }, 'contents.0.parts.0 must be an object, not number'],
    [
      { contents: [{ role: 'model', parts: [{ functionCall: 'f' }] }] },
      'contents.0.parts.0.functionCall must be an object, not string',
    ],
    [{ contents: [], tools: {} }, 'tools must be a list, not object'],
    [
      { contents: [], tools: [{ functionDeclarations: [null] }] },
      'tools.0.functionDeclarations.0 must be an object, not null',
    ],
    [{ contents: [], generationConfig: [] }, 'generationConfig must be an object, not array'],
  ])('a request %j: %s', (wire, message) => {
    expect(() => geminiContent.readRequest(wire)).toThrow(message);
  });

  it.each([
    [[], 'The body must be an object, not array'],
    [{ candidates: {} }, 'candidates must be a list, not object'],
    [{ candidates: [{ content: 'x' }] }, 'candidates.0.content must be an object, not string'],
    [{ error: { message: 'Busy' } }, 'error reports that the request failed: Busy'],
  ])('an answer %j: %s', (wire, message) => {
    expect(() => geminiContent.readResponse(wire)).toThrow(message);
  });

  it('ignores nulls', () => {
    const nothing = { systemInstruction: null, tools: null, toolConfig: null, generationConfig: null };
    expect(
      geminiContent.readRequest({ contents: [{ role: null, parts: [{ text: 'a', functionCall: null }] }], ...nothing }),
    ).toMatchObject({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }],
    });
    expect(
      geminiContent.readResponse({ candidates: [{ content: null, finishReason: null }], usageMetadata: null }),
    ).toMatchObject({
      message: { parts: [] },
      finish: 'stop',
    });
  });
});

describe('what only another format can express', () => {
  it('is omitted with a warning', () => {
    const { wire, warnings } = geminiContent.writeRequest({
      model: 'm',
      parallelCalls: false,
      tools: [
        { type: 'function', name: 'f', strict: true },
        { type: 'opaque', format: 'anthropic', value: { type: 'web_search' } },
      ],
      output: { type: 'schema', schema: { type: 'object' }, name: 'out' },
      messages: [
        { role: 'user', parts: [{ type: 'media', mediaType: 'image/*', source: { file: 'file-1' } }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: '', hidden: true, signature: { format: 'anthropic', value: 's' } },
            { type: 'refusal', text: 'No.' },
            { type: 'call', id: 'a', name: 'f', arguments: '{"cut' },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'Now be kind.' }] },
      ],
    });
    expect(warnings.map(({ where }) => where).sort()).toEqual([
      'messages.0',
      'messages.0.parts.0',
      'messages.1.parts.0.signature',
      'messages.1.parts.1',
      'messages.1.parts.2.arguments',
      'messages.2',
      'output.name',
      'parallelCalls',
      'tools.0.strict',
      'tools.1',
    ]);
    expect(wire).toMatchObject({
      systemInstruction: { parts: [{ text: 'Now be kind.' }] },
      contents: [{ role: 'model', parts: [{ text: 'No.' }, { functionCall: { id: 'a', name: 'f', args: {} } }] }],
    });
  });

  it('C19 writes an earlier call with invalid JSON as an object, and changes nothing else', () => {
    const parts = ['{"a":1}', '{"a":', '[1]', 'null', '', "{'a': 1,}"].map((text, index) => ({
      type: 'call' as const,
      id: `c${index}`,
      name: 'f',
      arguments: text,
    }));
    const { wire } = geminiContent.writeRequest(request([{ role: 'assistant', parts }]));
    expect(wire.contents).toEqual([
      {
        role: 'model',
        parts: [{ a: 1 }, {}, {}, {}, {}, { a: 1 }].map((args, index) => ({
          functionCall: { id: `c${index}`, name: 'f', args },
        })),
      },
    ]);
  });
});

describe('errors', () => {
  it('are read from an object, a list of one, or any text, with the retry delay', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12.5s' }];
    const body = { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details } };
    for (const one of [body, [body]]) {
      const error = geminiContent.readError(429, one);
      expect(error).toMatchObject({
        kind: 'rate_limit',
        retryable: true,
        retryAfter: 12500,
        code: 'RESOURCE_EXHAUSTED',
      });
      expect(geminiContent.writeError(error)).toEqual(body);
    }
    expect(geminiContent.readError(502, '<html>')).toMatchObject({ kind: 'server', message: '<html>' });
    expect(geminiContent.readError(400, null)).toMatchObject({ kind: 'request', retryable: false });
  });

  it('of any kind are written as the service writes them', () => {
    const error = { kind: 'rate_limit', message: 'Slow down', retryable: true } as const;
    expect(geminiContent.writeError(error)).toEqual({
      error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' },
    });
  });
});

it.each([
  [{ model: 'gemini-3-pro' }, '/v1beta/models/gemini-3-pro:generateContent'],
  [{ model: 'models/gemini-3-pro', stream: true }, '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse'],
  [{ model: 'tunedModels/a b' }, '/v1beta/tunedModels/a%20b:generateContent'],
])('sends %j to %s', (given, path) => {
  expect(geminiContent.pathOf({ messages: [], ...given })).toBe(path);
});
