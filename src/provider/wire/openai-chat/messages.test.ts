import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, ResultPart, TurnRequest } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { openaiChat } from './index.ts';

const ask = (messages: Message[], more: Partial<TurnRequest> = {}): TurnRequest => ({ model: 'm', messages, ...more });
const written = (messages: Message[]) => openaiChat.writeRequest(ask(messages));
const read = (messages: unknown, more: object = {}) => openaiChat.readRequest({ model: 'm', messages, ...more });
const result = (more: Partial<ResultPart> = {}): ResultPart => ({
  type: 'result',
  callId: 'a',
  content: [{ type: 'text', text: 'No such file' }],
  ...more,
});

describe('results', () => {
  it('in sequence share one message', () => {
    const wire = [
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'user', content: 'and?' },
    ];
    expect(read(wire).messages).toMatchObject([
      {
        role: 'user',
        parts: [
          { type: 'result', callId: 'a' },
          { type: 'result', callId: 'b' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'and?' }] },
    ]);
  });

  it('come before the text next to them', () => {
    const { wire } = written([{ role: 'user', parts: [{ type: 'text', text: 'and?' }, result()] }]);
    expect(wire.messages).toMatchObject([
      { role: 'tool', tool_call_id: 'a' },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('S0.5 an error is marked in its text, because the format has no field for it', () => {
    const { wire, warnings } = written([{ role: 'user', parts: [result({ isError: true })] }]);
    expect(wire.messages).toEqual([{ role: 'tool', tool_call_id: 'a', content: 'Error: No such file' }]);
    expect(warnings).toMatchObject([{ where: 'messages.0.parts.0.isError' }]);
  });

  it('S1.4 a structured error is written unchanged', () => {
    const text = '{"ok":false,"error":"Field \'path\' is required","errorType":"validation"}';
    const { wire } = written([{ role: 'user', parts: [result({ isError: true, content: [{ type: 'text', text }] })] }]);
    expect(wire.messages).toEqual([{ role: 'tool', tool_call_id: 'a', content: text }]);
  });

  it('an error without text is marked too', () => {
    const { wire } = written([{ role: 'user', parts: [result({ isError: true, content: [] })] }]);
    expect(wire.messages).toMatchObject([{ content: 'Error' }]);
  });

  it('contain only text: images follow in a separate message', () => {
    const image = { type: 'media', mediaType: 'image/png', source: { data: 'AA==' } } as const;
    const { wire, warnings } = written([{ role: 'user', parts: [result({ content: [...result().content, image] })] }]);
    expect(wire.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'No such file' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
    ]);
    expect(warnings).toHaveLength(1);
  });

  it('without an id belong to the next call, by name if they have one', () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
    const wire = [
      { role: 'assistant', tool_calls: [call('a', 'f'), call('b', 'g')] },
      { role: 'tool', name: 'g', content: '1' },
      { role: 'tool', content: '2' },
    ];
    expect(read(wire).messages[1]).toMatchObject({ parts: [{ callId: 'b', name: 'g' }, { callId: 'a' }] });
  });

  it('of a deprecated function belong to its call', () => {
    const { messages } = read([
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: '1' },
    ]);
    const [call] = messages[0]?.parts ?? [];
    expect(messages[1]?.parts).toMatchObject([{ type: 'result', callId: (call as { id: string }).id, name: 'f' }]);
  });
});

describe('a history', () => {
  it.each(['{"path":', '', 'not JSON', '[1]', '{"a":1}{"b":2}'])(
    'C19 with arguments that are not an object is read and written unchanged: %s',
    (given) => {
      const wire = [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: given } }],
        },
      ];
      const request = read(wire);
      expect(request.messages[0]?.parts).toMatchObject([{ type: 'call', arguments: given }]);
      expect(openaiChat.writeRequest(request).wire.messages).toEqual(wire);
    },
  );

  it('C19 with arguments that are an object or missing is written with text', () => {
    const called = (given: object) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', ...given } }],
      },
    ];
    expect(openaiChat.writeRequest(read(called({ arguments: { a: 1 } }))).wire.messages).toEqual(
      called({ arguments: '{"a":1}' }),
    );
    expect(openaiChat.writeRequest(read(called({}))).wire.messages).toEqual(called({ arguments: '' }));
  });

  it("from another format drops that format's fields with a warning", () => {
    const signature = { format: 'anthropic', value: 'sig' } as const;
    const parts: AssistantPart[] = [
      { type: 'reasoning', text: 'hm', signature },
      { type: 'reasoning', text: '', signature, hidden: true },
      { type: 'text', text: 'a' },
      { type: 'opaque', format: 'anthropic', value: { type: 'server_tool_use', id: 's' } },
      { type: 'call', id: 'c', name: 'f', arguments: { x: 1 } },
      { type: 'text', text: 'b' },
      { type: 'media', mediaType: 'image/png', source: { data: 'AA==' } },
    ];
    const { wire, warnings } = written([{ role: 'assistant', parts }]);
    expect(wire.messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
      },
    ]);
    expect(warnings.map(({ where }) => where).sort()).toEqual([
      'messages.0.parts.0',
      'messages.0.parts.0.signature',
      'messages.0.parts.1.signature',
      'messages.0.parts.3',
      'messages.0.parts.5',
      'messages.0.parts.6',
    ]);
  });

  it('with unsigned reasoning sends it in the most common field', () => {
    const { wire } = written([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
    ]);
    expect(wire.messages).toEqual([{ role: 'assistant', content: 'a', reasoning_content: 'hm' }]);
  });

  it('with a document by its URL warns that the document is omitted', () => {
    const { wire, warnings } = written([
      {
        role: 'user',
        parts: [{ type: 'media', mediaType: 'application/pdf', source: { url: 'https://example.com/a.pdf' } }],
      },
    ]);
    expect(wire.messages).toEqual([{ role: 'user', content: '' }]);
    expect(warnings).toHaveLength(1);
  });
});

describe('an invalid body', () => {
  it.each<[string, unknown, string]>([
    ['no object', [], 'The body must be an object'],
    ['no model', { messages: [] }, 'model must be a name'],
    ['no messages', { model: 'm' }, 'messages must be a list'],
    ['a message that is none', { model: 'm', messages: ['hi'] }, 'messages.0 must be an object'],
    ['a role nobody has', { model: 'm', messages: [{ role: 'narrator', content: 'x' }] }, 'messages.0.role must be'],
    [
      'content that is a number',
      { model: 'm', messages: [{ role: 'user', content: 7 }] },
      'messages.0.content must be text or a list',
    ],
    [
      'a call that is none',
      { model: 'm', messages: [{ role: 'assistant', tool_calls: [7] }] },
      'messages.0.tool_calls.0 must be an object',
    ],
    [
      'a tool without a function',
      { model: 'm', messages: [], tools: [{ type: 'function' }] },
      'tools.0.function must be an object',
    ],
    [
      'a tool without a name',
      { model: 'm', messages: [], tools: [{ type: 'function', function: {} }] },
      'tools.0.function.name must be a name',
    ],
  ])('%s', (_, wire, message) => {
    expect(() => openaiChat.readRequest(wire)).toThrow(WireError);
    expect(() => openaiChat.readRequest(wire)).toThrow(message);
  });

  it.each<[string, unknown, string]>([
    ['no choices', { id: 'x' }, 'choices must be a list'],
    ['an empty choice', { choices: [] }, 'choices.0 must be an object'],
    ['no message', { choices: [{}] }, 'choices.0.message must be an object'],
    ['an error', { error: { message: 'Busy' } }, 'error reports: Busy'],
    ['null', null, 'The body must be an object'],
  ])('an answer: %s', (_, wire, message) => {
    expect(() => openaiChat.readResponse(wire)).toThrow(WireError);
    expect(() => openaiChat.readResponse(wire)).toThrow(message);
  });
});

describe('tools', () => {
  it('S3.6 an empty list stays an empty list, in both directions', () => {
    expect(openaiChat.writeTools([])).toEqual([]);
    expect(openaiChat.readTools([])).toEqual([]);
  });

  it('S3.6 are functions with a schema', () => {
    const spec = {
      type: 'function',
      name: 'f',
      description: 'F',
      schema: { type: 'object', properties: {} },
      strict: true,
    } as const;
    const wire = [
      {
        type: 'function',
        function: { name: 'f', description: 'F', parameters: { type: 'object', properties: {} }, strict: true },
      },
    ];
    expect(openaiChat.writeTools([spec])).toEqual(wire);
    expect(openaiChat.readTools(wire)).toEqual([spec]);
  });

  it('keep a choice among some of them, until a new choice replaces it', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } };
    const request = read([], { tool_choice: choice });
    expect(request.toolChoice).toBe('required');
    expect(openaiChat.writeRequest(request).wire.tool_choice).toEqual(choice);
    expect(openaiChat.writeRequest({ ...request, toolChoice: { tool: 'f' } }).wire.tool_choice).toEqual({
      type: 'function',
      function: { name: 'f' },
    });
  });
});

describe('a response', () => {
  const answer = (message: object, finish: unknown = 'stop', more: object = {}) =>
    openaiChat.readResponse({
      choices: [{ message: { role: 'assistant', ...message }, finish_reason: finish }],
      ...more,
    });

  it('S3.7 returns calls in one shape, whatever the server omitted', () => {
    const { message, finish } = answer(
      { tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }, { id: '', function: { name: 'f' } }] },
      null,
    );
    expect(message.parts).toMatchObject([
      { type: 'call', name: 'f', arguments: { x: 1 } },
      { type: 'call', name: 'f', arguments: '' },
    ]);
    const ids = message.parts.map((part) => (part.type === 'call' ? part.id : ''));
    expect(new Set(ids).size).toBe(2);
    expect(finish).toBe('tool_calls');
  });

  it('is written with tool_calls and ids if the server sent stop and none', () => {
    const call = { id: null, type: 'function', function: { name: 'f', arguments: '{}' } };
    const { wire } = openaiChat.writeResponse(answer({ tool_calls: [call] }, 'stop'));
    expect(wire.choices).toMatchObject([
      { finish_reason: 'tool_calls', message: { tool_calls: [{ id: expect.any(String) }] } },
    ]);
  });

  it('S4.4 omits and records calls named by nothing or by a symbol', () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
    const { message, ignored, finish } = answer({ tool_calls: [call('a', ''), call('b', '⚙')] }, 'tool_calls');
    expect(message.parts).toEqual([]);
    expect(ignored).toEqual([
      { id: 'a', name: '', arguments: '{}' },
      { id: 'b', name: '⚙', arguments: '{}' },
    ]);
    expect(finish).toBe('stop');
  });

  it('counts all tokens, including reasoning that is counted separately', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 35,
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    expect(answer({}, 'stop', { usage }).usage).toMatchObject({ input: 10, output: 25, reasoning: 20 });
    expect(answer({}, 'stop', { usage: { ...usage, total_tokens: 15 } }).usage).toMatchObject({ input: 10, output: 5 });
    const cached = { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 4 };
    expect(answer({}, 'stop', { usage: cached }).usage).toMatchObject({ cached: 4 });
  });
});

describe('errors', () => {
  it.each<[number, unknown, object]>([
    [
      401,
      { error: { message: 'Wrong key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      { kind: 'request', message: 'Wrong key', retryable: false, code: 'invalid_api_key' },
    ],
    [
      429,
      { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
      { kind: 'rate_limit', retryable: true },
    ],
    [
      429,
      { error: { message: 'Pay', type: 'insufficient_quota', code: 'insufficient_quota' } },
      { kind: 'rate_limit', retryable: false },
    ],
    [503, { error: 'model is loading' }, { kind: 'server', message: 'model is loading', retryable: true }],
    [422, { detail: [{ msg: 'field required' }] }, { kind: 'request', message: 'field required' }],
    [400, { object: 'error', message: 'too long', code: 400 }, { kind: 'request', message: 'too long' }],
    [500, '<html>', { kind: 'server', message: '<html>' }],
    [502, undefined, { kind: 'server', message: 'The server responded with status 502 and no message' }],
  ])('%i %j', (status, body, expected) => {
    const error = openaiChat.readError(status, body);
    expect(error).toMatchObject({ ...expected, status });
  });

  it('are written unchanged, or in this format', () => {
    const wire = { error: { message: 'Busy', type: 'server_error', param: null, code: null } };
    expect(openaiChat.writeError(openaiChat.readError(500, wire))).toEqual(wire);
    expect(openaiChat.writeError({ kind: 'request', message: 'No', retryable: false })).toEqual({
      error: { message: 'No', type: 'invalid_request_error', param: null, code: null },
    });
  });
});

describe('a response without anything this format can express', () => {
  it('is empty text, because null is only valid next to calls', () => {
    const thought = { type: 'reasoning', text: 'Hm', signature: { format: 'anthropic', value: 's' } } as const;
    const { wire } = openaiChat.writeRequest({ model: 'm', messages: [{ role: 'assistant', parts: [thought] }] });
    expect(wire.messages).toEqual([{ role: 'assistant', content: '' }]);
  });
});
