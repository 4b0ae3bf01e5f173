import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../dialect/echo/context.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import type { AssistantPart, Message, Part, TurnRequest, UserMessage } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { anthropicMessages } from './index.ts';

const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
const ask = (more: Partial<TurnRequest> = {}): TurnRequest => ({ model: 'm', messages: [hello], ...more });
const write = (more: Partial<TurnRequest>): JsonObject => anthropicMessages.writeRequest(ask(more)).wire;
const warnings = (more: Partial<TurnRequest>): string[] =>
  anthropicMessages.writeRequest(ask(more)).warnings.map(({ where }) => where);
const content = (message: Message): unknown => {
  const [written] = write({ messages: [message] }).messages as JsonObject[];
  return written?.content;
};
const said = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const user = (...parts: UserMessage['parts']): Message => ({ role: 'user', parts });
const call = (value: unknown): Part => ({ type: 'call', id: 'c', name: 'f', arguments: value });

describe('a request', () => {
  it('has a default limit, above the budget for reasoning', () => {
    expect(write({}).max_tokens).toBe(16_384);
    expect(write({ reasoning: { enabled: true, budget: 2000 } }).max_tokens).toBe(18_384);
    expect(write({ maxTokens: 7 }).max_tokens).toBe(7);
  });

  it('S3.6 writes a schema of type object for every tool, and no tools if there are none', () => {
    const schemas = [undefined, {}, true, { properties: { a: {} } }, { type: 'object' as const, title: 'T' }];
    const tools = schemas.map((schema, index) => ({
      type: 'function' as const,
      name: `f${index}`,
      ...(schema !== undefined && { schema }),
    }));
    const written = anthropicMessages.writeTools(tools).map((tool) => isObject(tool) && tool.input_schema);
    expect(written).toEqual([
      { type: 'object', properties: {} },
      { type: 'object' },
      { type: 'object', properties: {} },
      { type: 'object', properties: { a: {} } },
      { type: 'object', title: 'T' },
    ]);
    expect(anthropicMessages.writeTools([])).toEqual([]);
    expect(anthropicMessages.readTools([])).toEqual([]);
  });

  it('S1.4 S0.5 marks an error result', () => {
    const told = { ok: false, error: 'No', errorType: 'validation', retryable: false, recommendations: ['Fix it'] };
    const text = JSON.stringify(told);
    const message = user({ type: 'result', callId: 'c', name: 'f', content: [{ type: 'text', text }], isError: true });
    expect(content(message)).toEqual([{ type: 'tool_result', tool_use_id: 'c', content: text, is_error: true }]);
  });

  it.each([
    ['{"a":1}', { a: 1 }, false],
    ['', {}, false],
    ["{a: 'b',}", { a: 'b' }, true],
    ['{"a": "b', {}, true],
    ['[1]', {}, true],
    [null, {}, true],
  ])('C19 writes the arguments %j of an earlier call as an object', (value, input, lost) => {
    const message = said(call(value) as AssistantPart);
    expect(content(message)).toEqual([{ type: 'tool_use', id: 'c', name: 'f', input }]);
    expect(warnings({ messages: [message] })).toEqual(lost ? ['messages.0.parts.0.arguments'] : []);
  });

  it('joins leading system messages, and leaves later ones in place', () => {
    const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
    const wire = write({ messages: [system('a'), system('b'), hello, system('c')] });
    expect(wire.system).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(wire.messages).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'system', content: 'c' },
    ]);
  });

  it('omits empty texts and messages, which the API refuses', () => {
    const silent = said({ type: 'text', text: '' }, call({}) as AssistantPart);
    expect(content(silent)).toEqual([{ type: 'tool_use', id: 'c', name: 'f', input: {} }]);
    const wire = write({ messages: [hello, said(), hello] });
    expect(wire.messages).toHaveLength(2);
    expect(warnings({ messages: [hello, said(), hello] })).toEqual(['messages.1']);
  });

  it('uses the tool choice to disable parallel calls', () => {
    const tools = [{ type: 'function' as const, name: 'f' }];
    expect(write({ tools, parallelCalls: false }).tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    expect(write({ parallelCalls: false }).tool_choice).toBeUndefined();
    expect(write({ tools, toolChoice: 'none', parallelCalls: false }).tool_choice).toEqual({ type: 'none' });
    expect(write({ tools, toolChoice: 'required' }).tool_choice).toEqual({ type: 'any' });
  });

  it('keeps passthrough fields, and never lets them override a change', () => {
    const wire = { model: 'm', max_tokens: 1, messages: [], tool_choice: { type: 'auto', weight: 1 } };
    const read = anthropicMessages.readRequest(wire);
    const changed = anthropicMessages.writeRequest({ ...read, toolChoice: { tool: 'f' } }).wire;
    expect(changed.tool_choice).toEqual({ type: 'tool', name: 'f', weight: 1 });
  });
});

describe("warns about what the format can't express", () => {
  const foreign = { format: 'gemini' as const, value: 's' };
  const rows: [string, Partial<TurnRequest>, string[]][] = [
    [
      'unsigned thoughts',
      { messages: [said({ type: 'reasoning', text: 'Hm' })] },
      ['messages.0.parts.0', 'messages.0'],
    ],
    [
      "another's signature on a call",
      { messages: [said({ type: 'call', id: 'c', name: 'f', arguments: {}, signature: foreign })] },
      ['messages.0.parts.0.signature'],
    ],
    [
      "another's own part",
      { messages: [user({ type: 'text', text: 'a' }, { type: 'opaque', format: 'gemini', value: {} })] },
      ['messages.0.parts.1'],
    ],
    ["another's own tool", { tools: [{ type: 'opaque', format: 'gemini', value: {} }] }, ['tools.0']],
    ["another's settings", { passthrough: { format: 'openai-chat', fields: { seed: 1 } } }, ['passthrough']],
    [
      'sounds',
      {
        messages: [user({ type: 'text', text: 'a' }, { type: 'media', mediaType: 'audio/wav', source: { data: '' } })],
      },
      ['messages.0.parts.1'],
    ],
    [
      'pictures by the model',
      {
        messages: [said({ type: 'text', text: 'a' }, { type: 'media', mediaType: 'image/png', source: { data: '' } })],
      },
      ['messages.0.parts.1'],
    ],
    [
      'a table as text',
      { messages: [user({ type: 'media', mediaType: 'text/csv', source: { data: 'YSxi' } })] },
      ['messages.0.parts.0.mediaType'],
    ],
    ['a refusal', { messages: [said({ type: 'refusal', text: 'No' })] }, ['messages.0.parts.0']],
    ['JSON of any form', { output: { type: 'json' } }, ['output']],
    ["the form's name", { output: { type: 'schema', schema: {}, name: 'n' } }, ['output.name']],
    ['the least effort', { reasoning: { enabled: true, effort: 'minimal' } }, ['reasoning.effort']],
  ];

  it.each(rows)('%s', (_, more, where) => {
    expect(warnings(more)).toEqual(where);
  });
});

describe('an invalid request', () => {
  const message = { role: 'user', content: 'a' };
  it.each([
    [null, 'The body must be an object'],
    [{}, 'model must be a string'],
    [{ model: 'm' }, 'messages must be a list'],
    [{ model: 'm', messages: [1] }, 'messages.0 must be an object'],
    [{ model: 'm', messages: [{ role: 'tool', content: '' }] }, 'messages.0.role must be user, assistant or system'],
    [
      { model: 'm', messages: [{ role: 'user', content: 1 }] },
      'messages.0.content must be a string or a list of blocks',
    ],
    [{ model: 'm', messages: [{ role: 'user', content: [1] }] }, 'messages.0.content.0 must be an object'],
    [{ model: 'm', messages: [message], system: 1 }, 'system must be a string or a list of blocks'],
    [{ model: 'm', messages: [message], tools: {} }, 'tools must be a list'],
    [{ model: 'm', messages: [message], tools: [1] }, 'tools.0 must be an object'],
  ])('is refused, and the error names the field: %j', (wire, expected) => {
    expect(() => anthropicMessages.readRequest(wire)).toThrow(WireError);
    expect(() => anthropicMessages.readRequest(wire)).toThrow(expected);
  });
});

it.each(['text', 'url'])('the title and the context of a document are part of the conversation: %s', (type) => {
  const source =
    type === 'text' ? { type, media_type: 'text/plain', data: 'Body' } : { type, url: 'https://a.example/b.pdf' };
  const document = { type: 'document', source, title: 'A title', context: 'Some context' };
  const { messages } = anthropicMessages.readRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: [document] }],
  });
  expect(contextOf(messages)[0]?.content).toMatch(/A title\nSome context/);
});
