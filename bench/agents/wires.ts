/** The API formats of the fake model server, written from their documentation and not with the code under test. */
import type { ServerResponse } from 'node:http';

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: { readonly properties?: Readonly<Record<string, Property>>; readonly required?: readonly string[] };
}
interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
}

/** What the model reads of a request. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  readonly messages: readonly { readonly role: string; readonly calls: boolean; readonly ids: readonly string[] }[];
  /** Texts of the prompt, without those of tools. */
  readonly text: string;
  /** Results of tools, in order. */
  readonly results: readonly string[];
  /** Size in tokens, as far as characters show it, and the tokens that a response may have. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** The context size that the request sets, as at Ollama. */
  readonly context?: number;
}

/** What the model writes. `broken` ends the connection in the middle. */
export interface ModelReply {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: string };
  readonly finish: 'stop' | 'calls' | 'length' | 'broken';
}

export type WireName = 'chat' | 'ollama' | 'anthropic' | 'responses' | 'gemini';

interface Wire {
  /** Matches the path; its first group is the model, where the path has it. */
  readonly path: RegExp;
  readonly read: (body: Json, path: RegExpExecArray) => ModelRequest;
  readonly send: (response: ServerResponse, request: ModelRequest, reply: ModelReply) => void;
}

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** All texts below a value, which may be a text, or blocks with texts. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  const { text, content, output, parts, response } = object(value);
  return [text, content, output, parts].filter(Boolean).map(textIn).join('\n') || (response ? flat(response) : '');
}
const flat = (value: unknown): string =>
  typeof value === 'string' ? value : Object.values(object(value)).map(flat).join('\n');

const perToken = 4;
const tokensOf = (...parts: readonly unknown[]): number =>
  Math.ceil(parts.reduce<number>((sum, part) => sum + (JSON.stringify(part)?.length ?? 0), 0) / perToken);

/** Models write a few characters at a time. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,9}/g) ?? [];

const jsonHead = { 'content-type': 'application/json' };
const sse = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;

/** Ends a response, or its connection. */
const end = (response: ServerResponse, { finish }: ModelReply, last = ''): void => {
  if (finish !== 'broken') response.end(last);
  else setTimeout(() => response.destroy(), 50);
};

let calls = 0;
/** Letters and digits, nine of them, as Mistral's tokenizers require. */
const callId = (): string => {
  calls += 1;
  return `call${String(calls).padStart(5, '0')}`;
};

const functionsIn = (tools: unknown): OfferedTool[] =>
  list(tools).flatMap((tool) => {
    const { name, parameters } = object(tool.function);
    return typeof name === 'string' ? [{ name, schema: object(parameters) }] : [];
  });

function readChat(body: Json): ModelRequest {
  const { model, messages, tools, options } = body;
  const all = list(messages);
  const context = object(options).num_ctx;
  return {
    model: String(model),
    stream: body.stream === true,
    tools: functionsIn(tools),
    messages: all.map(({ role, tool_calls: made, tool_call_id: id }) => ({
      role: String(role),
      calls: list(made).length > 0,
      ids: [...list(made).map((one) => String(one.id)), ...(typeof id === 'string' ? [id] : [])],
    })),
    text: all
      .filter(({ role }) => role !== 'tool')
      .map(textIn)
      .join('\n'),
    results: all.filter(({ role }) => role === 'tool').map(textIn),
    tokens: tokensOf(messages, tools),
    maxTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? 0),
    ...(typeof context === 'number' && { context }),
  };
}

function sendChat(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  const { text, call, finish } = reply;
  const base = { id: 'chatcmpl-1', created: Math.floor(Date.now() / 1000), model: request.model };
  const usage = { prompt_tokens: request.tokens, completion_tokens: 40, total_tokens: request.tokens + 40 };
  const reason = finish === 'calls' ? 'tool_calls' : finish;
  const made = call && { id: callId(), type: 'function', function: { name: call.name, arguments: call.args } };
  if (!request.stream) {
    const message = { role: 'assistant', content: text ?? null, ...(made && { tool_calls: [made] }) };
    const choices = [{ index: 0, message, finish_reason: reason }];
    response.writeHead(200, jsonHead).end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
    return;
  }
  const chunk = (delta: object, finished: string | null = null): string =>
    data({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finished }] });
  sse(response);
  response.write(chunk({ role: 'assistant', content: '' }));
  for (const piece of pieces(text ?? '')) response.write(chunk({ content: piece }));
  if (made) {
    const { arguments: args, name } = made.function;
    const start = { index: 0, id: made.id, type: 'function', function: { name, arguments: '' } };
    response.write(chunk({ tool_calls: [start] }));
    for (const piece of pieces(args))
      response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  }
  if (finish !== 'broken') response.write(chunk({}, reason));
  const last = data({ ...base, object: 'chat.completion.chunk', choices: [], usage });
  end(response, reply, `${last}data: [DONE]\n\n`);
}

function sendOllama(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  const { text = '', call, finish } = reply;
  const base = { model: request.model, created_at: new Date().toISOString() };
  const made = call && { function: { name: call.name, arguments: JSON.parse(call.args) as unknown } };
  const message = { role: 'assistant', content: text, ...(made && { tool_calls: [made] }) };
  const last = { done: true, done_reason: finish === 'length' ? 'length' : 'stop' };
  const counts = { total_duration: 1, prompt_eval_count: request.tokens, eval_count: 40 };
  if (!request.stream) {
    response.writeHead(200, jsonHead).end(JSON.stringify({ ...base, message, ...last, ...counts }));
    return;
  }
  const line = (value: object): string => `${JSON.stringify({ ...base, ...value })}\n`;
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const piece of pieces(text))
    response.write(line({ message: { role: 'assistant', content: piece }, done: false }));
  if (made) response.write(line({ message: { ...message, content: '' }, done: false }));
  end(response, reply, line({ message: { role: 'assistant', content: '' }, ...last, ...counts }));
}

function readAnthropic(body: Json): ModelRequest {
  const { model, system, messages, tools } = body;
  const all = list(messages);
  const blocks = all.flatMap(({ content }) => list(content));
  return {
    model: String(model),
    stream: body.stream === true,
    tools: list(tools).map(({ name, input_schema: schema }) => ({ name: String(name), schema: object(schema) })),
    messages: all.map(({ role }) => ({ role: String(role), calls: false, ids: [] })),
    text: [system, ...all].map(textIn).join('\n'),
    results: blocks.filter(({ type }) => type === 'tool_result').map(textIn),
    tokens: tokensOf(system, messages, tools),
    maxTokens: Number(body.max_tokens ?? 0),
  };
}

function sendAnthropic(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  const { text, call, finish } = reply;
  const stops = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', broken: null };
  const stop = { stop_reason: stops[finish], stop_sequence: null };
  const usage = { input_tokens: request.tokens, output_tokens: 40 };
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model: request.model };
  if (!request.stream) {
    const input = (): unknown => JSON.parse(call?.args ?? '{}');
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...(call ? [{ type: 'tool_use', id: callId(), name: call.name, input: input() }] : []),
    ];
    response.writeHead(200, jsonHead).end(JSON.stringify({ ...base, content, ...stop, usage }));
    return;
  }
  const block = (index: number, start: object, deltas: readonly object[]): void => {
    response.write(event({ type: 'content_block_start', index, content_block: start }));
    for (const delta of deltas) response.write(event({ type: 'content_block_delta', index, delta }));
    if (finish !== 'broken') response.write(event({ type: 'content_block_stop', index }));
  };
  sse(response);
  const message = { ...base, content: [], stop_reason: null, stop_sequence: null, usage };
  response.write(event({ type: 'message_start', message }));
  if (text !== undefined) {
    const deltas = pieces(text).map((piece) => ({ type: 'text_delta', text: piece }));
    block(0, { type: 'text', text: '' }, deltas);
  }
  if (call) {
    const deltas = pieces(call.args).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
    block(text === undefined ? 0 : 1, { type: 'tool_use', id: callId(), name: call.name, input: {} }, deltas);
  }
  if (finish !== 'broken') response.write(event({ type: 'message_delta', delta: stop, usage }));
  end(response, reply, event({ type: 'message_stop' }));
}

function readResponses(body: Json): ModelRequest {
  const { model, instructions, input, tools } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input);
  const isResult = ({ type }: Json): boolean => /_output$/.test(String(type));
  return {
    model: String(model),
    stream: body.stream === true,
    tools: list(tools).flatMap(({ type, name, parameters }) =>
      type === 'function' ? [{ name: String(name), schema: object(parameters) }] : [],
    ),
    messages: [],
    text: [instructions, ...items.filter((item) => !isResult(item))].map(textIn).join('\n'),
    results: items.filter(isResult).map(({ output }) => textIn(output)),
    tokens: tokensOf(instructions, input, tools),
    maxTokens: Number(body.max_output_tokens ?? 0),
  };
}

function sendResponses(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  const { text, call, finish } = reply;
  const usage = { input_tokens: request.tokens, output_tokens: 40, total_tokens: request.tokens + 40 };
  const base = { id: 'resp_1', object: 'response', created_at: 1, model: request.model };
  const item = call
    ? { type: 'function_call', id: 'fc_1', call_id: callId(), name: call.name, arguments: call.args }
    : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] };
  const limit = { incomplete_details: { reason: 'max_output_tokens' } };
  const status = finish === 'length' ? 'incomplete' : 'completed';
  const whole = { ...base, status, output: [{ ...item, status }], usage, ...(finish === 'length' && limit) };
  if (!request.stream) {
    response.writeHead(200, jsonHead).end(JSON.stringify(whole));
    return;
  }
  let number = 0;
  const write = (type: string, value: object): void => {
    response.write(event({ type, sequence_number: number, ...value }));
    number += 1;
  };
  const at = { output_index: 0, item_id: item.id };
  sse(response);
  write('response.created', { response: { ...base, status: 'in_progress', output: [] } });
  const start = call ? { ...item, arguments: '' } : { ...item, content: [] };
  write('response.output_item.added', { output_index: 0, item: { ...start, status: 'in_progress' } });
  if (call) {
    for (const delta of pieces(call.args)) write('response.function_call_arguments.delta', { ...at, delta });
    if (finish !== 'broken') write('response.function_call_arguments.done', { ...at, arguments: call.args });
  } else {
    const inPart = { ...at, content_index: 0 };
    write('response.content_part.added', { ...inPart, part: { type: 'output_text', text: '', annotations: [] } });
    for (const delta of pieces(text ?? '')) write('response.output_text.delta', { ...inPart, delta });
    write('response.output_text.done', { ...inPart, text });
  }
  if (finish !== 'broken') {
    write('response.output_item.done', { output_index: 0, item: { ...item, status } });
    write(`response.${status}`, { response: whole });
  }
  end(response, reply);
}

function readGemini(body: Json, path: RegExpExecArray): ModelRequest {
  const { contents, systemInstruction, tools, generationConfig } = body;
  const parts = list(contents).flatMap(({ parts: some }) => list(some));
  return {
    model: decodeURIComponent(path[1] ?? ''),
    stream: path[2] === 'streamGenerateContent',
    tools: list(tools)
      .flatMap(({ functionDeclarations }) => list(functionDeclarations))
      .map(({ name, parameters, parametersJsonSchema }) => ({
        name: String(name),
        schema: object(parametersJsonSchema ?? parameters),
      })),
    messages: [],
    text: [systemInstruction, ...list(contents)].map(textIn).join('\n'),
    results: parts.flatMap(({ functionResponse }) => (functionResponse ? [textIn(functionResponse)] : [])),
    tokens: tokensOf(contents, systemInstruction, tools),
    maxTokens: Number(object(generationConfig).maxOutputTokens ?? 0),
  };
}

function sendGemini(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  const { text, call, finish } = reply;
  const part = call ? { functionCall: { name: call.name, args: JSON.parse(call.args) as unknown } } : { text };
  const page = {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [part] },
        finishReason: finish === 'length' ? 'MAX_TOKENS' : 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: request.tokens, candidatesTokenCount: 40, totalTokenCount: request.tokens + 40 },
    modelVersion: request.model,
  };
  if (!request.stream) {
    response.writeHead(200, jsonHead).end(JSON.stringify(page));
    return;
  }
  sse(response);
  end(response, reply, data(page));
}

/** The formats, by name. */
export const wires: Readonly<Record<WireName, Wire>> = {
  chat: { path: /^\/v1\/chat\/completions$/, read: readChat, send: sendChat },
  // Ollama streams by default.
  ollama: {
    path: /^\/api\/chat$/,
    read: (body) => ({ ...readChat(body), stream: body.stream !== false }),
    send: sendOllama,
  },
  anthropic: { path: /^\/v1\/messages$/, read: readAnthropic, send: sendAnthropic },
  responses: { path: /^\/v1\/responses$/, read: readResponses, send: sendResponses },
  gemini: {
    path: /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/,
    read: readGemini,
    send: sendGemini,
  },
};
