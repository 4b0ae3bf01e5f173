import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type {
  Message,
  OpaqueTool,
  OutputForm,
  Part,
  ReasoningSetting,
  ToolChoice,
  ToolSpec,
  TurnRequest,
} from '../../../model/index.ts';
import type { JsonSchema } from '../../../schema/types.ts';
import { WireError } from '../errors.ts';
import { isEmpty, present } from '../passthrough-fields.ts';
import type { Address, Written } from '../types.ts';
import { isTexts, mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { readContent, writeContent } from './content.ts';
import { asPassthrough, format, layOver, newPen, ownFields, type Pen, passthroughOf, warn } from './fields.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Settings with the same value in both formats. */
const plain = [
  ['max_tokens', 'maxTokens', isNumber],
  ['temperature', 'temperature', isNumber],
  ['top_p', 'topP', isNumber],
  ['stop_sequences', 'stop', isTexts],
  ['stream', 'stream', (value: unknown) => typeof value === 'boolean'],
] as const;

/** Reads a request body. Unknown settings pass through. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const { model = address.model ?? null, messages, ...left } = mustBeObject(wire, '');
  if (typeof model !== 'string') throw new WireError('model', 'must be a string');
  if (!Array.isArray(messages)) throw new WireError('messages', 'must be a list');
  const system = readSystem(left);
  const leading = messages.findIndex((message) => !isObject(message) || message.role !== 'system');
  const said = messages.map((message, index) =>
    readMessage(message, `messages.${index}`, index < leading || leading < 0),
  );
  const settings = { ...readPlain(left), ...readTooling(left), ...readForm(left) };
  return {
    model,
    messages: [...system, ...said],
    ...settings,
    ...passthroughOf(left),
  };
}

function readSystem(left: JsonObject): Message[] {
  const { system } = left;
  if (system === undefined || system === null) return [];
  delete left.system;
  return [{ role: 'system', parts: readContent(system, 'system', ['text']) } as Message];
}

const kinds: Readonly<Record<Message['role'], readonly Part['type'][]>> = {
  system: ['text'],
  user: ['text', 'media', 'result'],
  assistant: ['text', 'reasoning', 'call'],
};

/** @param leading whether no user message precedes it, so that it must not be confused with the request's `system` */
function readMessage(wire: JsonValue, where: string, leading: boolean): Message {
  const body = mustBeObject(wire, where);
  const { role, content } = body;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw new WireError(`${where}.role`, 'must be user, assistant or system');
  // Empty content, or missing content where it is optional, is preserved.
  const empty = Array.isArray(content) ? content.length === 0 : content === undefined && role === 'system';
  return {
    role,
    parts: empty ? [] : readContent(content, `${where}.content`, kinds[role]),
    ...((leading || empty) && asPassthrough({})),
    ...passthroughOf(body, empty ? ['role'] : ['role', 'content']),
  } as Message;
}

function readPlain(left: JsonObject): Partial<TurnRequest> {
  const read: Record<string, JsonValue> = {};
  for (const [key, field, fits] of plain) {
    const value = left[key];
    if (value === undefined || !fits(value)) continue;
    read[field] = value;
    delete left[key];
  }
  return read;
}

function readTooling(left: JsonObject): Partial<TurnRequest> {
  const { tools, tool_choice: choice } = left;
  const read = isObject(choice) ? readToolChoice(choice) : undefined;
  if (read) keepRest(left, 'tool_choice', read.left, Object.keys(read.fields).length > 0);
  if (tools === undefined || tools === null) return { ...read?.fields };
  delete left.tools;
  return { tools: readTools(tools), ...read?.fields };
}

/** Reads thinking, effort and the output form. The last two share an object. */
function readForm(left: JsonObject): Partial<TurnRequest> {
  const { thinking, output_config: config, output_format: older } = left;
  const { effort, format: form, ...others } = isObject(config) ? config : {};
  const word = typeof effort === 'string' ? effort : undefined;
  const output = readOutput(form);
  if (isObject(config)) {
    const unread = {
      ...(effort !== undefined && !word && { effort }),
      ...(form !== undefined && !output && { format: form }),
    };
    keepRest(left, 'output_config', { ...others, ...unread }, word !== undefined || output !== undefined);
  }
  const reasoning = readReasoning(isObject(thinking) ? thinking : undefined, word);
  if (isObject(thinking)) delete left.thinking;
  // The older field passes through, which says where to write the output form.
  const wanted = output ?? readOutput(older);
  return { ...(reasoning && { reasoning }), ...(wanted && { output: wanted }) };
}

/** Keeps the remaining fields of a settings object. An object that was empty stays. */
function keepRest(left: JsonObject, key: string, others: JsonObject, taken: boolean): void {
  if (taken && Object.keys(others).length === 0) delete left[key];
  else left[key] = others;
}

/** The API requires a limit. All current models accept this one, and it is enough for a call with a long file. */
const defaultMaxTokens = 16_384;

/** Writes a request body. */
export function writeRequest(request: TurnRequest): Written {
  const pen = newPen();
  const { model, messages, tools, reasoning, stop, maxTokens, temperature, topP, stream } = request;
  const spoken = messages.findIndex((message) => message.role !== 'system' || ownFields(message));
  const leading = spoken < 0 ? messages.length : spoken;
  const written = present({
    model,
    max_tokens: maxTokens ?? defaultMaxTokens + (reasoning?.budget ?? 0),
    system: writeSystem(pen, messages.slice(0, leading)),
    messages: messages.slice(leading).flatMap((message, index) => writeMessage(pen, leading + index, message)),
    tools: tools && writeTools(tools),
    tool_choice: writeToolChoice(request),
    thinking: writeThinking(reasoning),
    temperature,
    top_p: topP,
    stop_sequences: stop && [...stop],
    stream,
  });
  return {
    wire: laySettings({ ...written, ...writeForm(pen, request) }, request),
    warnings: [...foreignFieldWarnings(format, request), ...pen.warnings],
  };
}

/** Joins leading system messages, because the API has one field for them. */
function writeSystem(pen: Pen, messages: readonly Message[]): JsonValue | undefined {
  const written = messages.map(({ parts }, index) => writeContent(pen, `messages.${index}.parts`, parts));
  if (written.length <= 1) return written[0];
  return written.flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

function writeMessage(pen: Pen, index: number, message: Message): JsonObject[] {
  const where = `messages.${index}`;
  const content = writeContent({ ...pen, assistant: message.role === 'assistant' }, `${where}.parts`, message.parts);
  const empty = content.length === 0 && typeof content !== 'string';
  if (empty && !ownFields(message)) {
    warn(pen, where, 'Empty messages are rejected; left out');
    return [];
  }
  return [layOver(present({ role: message.role, content: empty ? undefined : content }), message)];
}

/** Writes the output form to the field it was read from, by default next to the effort. */
function writeForm(pen: Pen, request: TurnRequest): JsonObject {
  const form = writeOutput(pen, request.output);
  const older = isObject(ownFields(request)?.output_format);
  const effort = writeEffort(pen, request.reasoning?.effort);
  const config = present({ effort, format: older ? undefined : form });
  return present({
    output_config: Object.keys(config).length > 0 ? config : undefined,
    output_format: older ? form : undefined,
  });
}

/** Merges objects that have our settings and others, without hiding a setting that changed. */
function laySettings(written: JsonObject, request: TurnRequest): JsonObject {
  const laid = layOver(written, request);
  for (const key of ['tool_choice', 'output_config', 'output_format']) {
    const [mine, over] = [written[key], laid[key]];
    if (isObject(mine) && isObject(over)) laid[key] = { ...over, ...mine };
  }
  return laid;
}

/** A setting, and the remaining fields of its object. */
interface Read<T> {
  readonly fields: T;
  readonly left: JsonObject;
}

const choices = new Map<JsonValue | undefined, ToolChoice>([
  ['auto', 'auto'],
  ['any', 'required'],
  ['none', 'none'],
]);
const choiceWords = { auto: 'auto', required: 'any', none: 'none' } as const;

function readToolChoice(wire: JsonObject): Read<Pick<TurnRequest, 'toolChoice' | 'parallelCalls'>> {
  const { type, name, disable_parallel_tool_use: single, ...left } = wire;
  const toolChoice = type === 'tool' && typeof name === 'string' ? { tool: name } : choices.get(type);
  if (toolChoice === undefined) return { fields: {}, left: wire };
  const known = typeof single === 'boolean';
  return {
    fields: { toolChoice, ...(known && { parallelCalls: !single }) },
    left: {
      ...left,
      ...(single !== undefined && !known && { disable_parallel_tool_use: single }),
      ...(type !== 'tool' && name !== undefined && { name }),
    },
  };
}

/** Disabling parallel calls is part of the tool choice, so it requires one. */
function writeToolChoice({ toolChoice, parallelCalls, tools }: TurnRequest): JsonObject | undefined {
  const choice = toolChoice ?? (parallelCalls === false && tools?.length ? 'auto' : undefined);
  if (choice === undefined) return undefined;
  const said = typeof choice === 'string' ? { type: choiceWords[choice] } : { type: 'tool', name: choice.tool };
  const single = parallelCalls === undefined || choice === 'none' ? undefined : !parallelCalls;
  return present({ ...said, disable_parallel_tool_use: single });
}

/** An effort without `thinking` is marked with an empty passthrough. */
function readReasoning(thinking: JsonObject | undefined, effort: string | undefined): ReasoningSetting | undefined {
  const said = effort === undefined ? {} : { effort };
  if (!thinking) return effort === undefined ? undefined : { enabled: true, ...said, ...asPassthrough({}) };
  const { type, budget_tokens: budget } = thinking;
  if (type === 'disabled') return { enabled: false, ...said, ...passthroughOf(thinking, ['type']) };
  if (type === 'enabled' && typeof budget === 'number')
    return { enabled: true, budget, ...said, ...passthroughOf(thinking, ['type', 'budget_tokens']) };
  return { enabled: true, ...said, ...passthroughOf(thinking, type === 'adaptive' ? ['type'] : []) };
}

/** Thinking without a budget is adaptive. */
function writeThinking(setting: ReasoningSetting | undefined): JsonObject | undefined {
  const own = setting && ownFields(setting);
  if (!setting || (own && isEmpty(own))) return undefined;
  const { enabled, budget } = setting;
  const on = budget === undefined ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: budget };
  return layOver(enabled ? on : { type: 'disabled' }, setting);
}

function writeEffort(pen: Pen, effort: string | undefined): string | undefined {
  if (effort !== 'minimal') return effort;
  warn(pen, 'reasoning.effort', 'minimal is sent as low');
  return 'low';
}

/** Reads a `json_schema` from either of its two fields. */
function readOutput(form: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(form) || form.type !== 'json_schema' || !isObject(form.schema)) return undefined;
  return { type: 'schema', schema: form.schema as JsonSchema, ...passthroughOf(form, ['type', 'schema']) };
}

function writeOutput(pen: Pen, output: OutputForm | undefined): JsonObject | undefined {
  if (!output) return undefined;
  if (output.type === 'json') {
    warn(pen, 'output', 'JSON output without a schema is not supported; left out');
    return undefined;
  }
  const unsaid = (['name', 'description'] as const).filter((field) => output[field] !== undefined);
  for (const field of unsaid) warn(pen, `output.${field}`, `The output has no ${field} in this API format`);
  // A schema is JSON, although its type lists the keywords.
  return layOver({ type: 'json_schema', schema: output.schema as JsonValue }, output);
}

/** Reads tools. Tools that the provider defines or runs stay opaque. */
export function readTools(wire: unknown, where = 'tools'): (ToolSpec | OpaqueTool)[] {
  if (!Array.isArray(wire)) throw new WireError(where, 'must be a list');
  return wire.map((tool: unknown, index) => readTool(mustBeObject(tool, `${where}.${index}`)));
}

function readTool(tool: JsonObject): ToolSpec | OpaqueTool {
  const { type, name, description, input_schema: schema, strict } = tool;
  if (typeof name !== 'string' || !(type === undefined || type === null || type === 'custom'))
    return { type: 'opaque', format, value: tool };
  const fields = {
    ...(typeof description === 'string' && { description }),
    ...((isObject(schema) || typeof schema === 'boolean') && { schema: schema as JsonSchema }),
    ...(typeof strict === 'boolean' && { strict }),
  };
  const known = ['name', ...Object.keys(fields).map((field) => (field === 'schema' ? 'input_schema' : field))];
  return { type: 'function', name, ...fields, ...passthroughOf(tool, known) };
}

/** Writes tools. Input schemas get `type: object`, which the provider requires. */
export function writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonObject[] {
  return tools.flatMap((tool): JsonObject[] => {
    if (tool.type === 'opaque') return tool.format === format && isObject(tool.value) ? [tool.value] : [];
    const { name, description, schema, strict } = tool;
    const written = present({ name, description, input_schema: inputSchema(schema), strict });
    return [layOver(written, tool)];
  });
}

const inputSchema = (schema: JsonSchema | undefined): JsonValue =>
  // A schema is JSON, although its type lists the keywords.
  isObject(schema) ? ({ type: 'object', ...schema } as JsonObject) : { type: 'object', properties: {} };
