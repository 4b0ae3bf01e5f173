import { equal, isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type {
  OpaqueTool,
  OutputForm,
  ReasoningSetting,
  ToolChoice,
  ToolSpec,
  TurnRequest,
} from '../../../model/index.ts';
import type { JsonSchema } from '../../../schema/types.ts';
import { WireError } from '../errors.ts';
import { present } from '../passthrough-fields.ts';
import type { Address, Warning, Written } from '../types.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import {
  asPassthrough,
  format,
  isBoolean,
  isNumber,
  isString,
  isText,
  listAt,
  mergeOver,
  objectAt,
  ownFields,
  passthroughOf,
  putBack,
  take,
} from './fields.ts';
import { readMessages, writeMessages } from './messages.ts';

/** Reads a request body. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const rest = objectAt(wire, '');
  const model = take(rest, 'model', isText) ?? address.model;
  if (model === undefined) throw new WireError('model', 'must be a name');
  const messages = readMessages(rest.messages);
  delete rest.messages;
  const request: TurnRequest = {
    model,
    messages,
    ...field('tools', takeTools(rest)),
    ...field('toolChoice', takeToolChoice(rest)),
    ...field('parallelCalls', take(rest, 'parallel_tool_calls', isBoolean)),
    ...field('output', takeOutput(rest)),
    ...field('reasoning', takeReasoning(rest)),
    ...field('maxTokens', takeMaxTokens(rest)),
    ...field('temperature', take(rest, 'temperature', isNumber)),
    ...field('topP', take(rest, 'top_p', isNumber)),
    ...field('stop', takeStop(rest)),
    ...field('stream', take(rest, 'stream', isBoolean) ?? address.stream),
  };
  return { ...request, ...leftOfRequest(rest, request.stream) };
}

const field = <K extends keyof TurnRequest>(
  key: K,
  value: TurnRequest[K] | undefined,
): Pick<TurnRequest, K> | object => (value === undefined ? {} : { [key]: value });

function takeTools(rest: JsonObject): (ToolSpec | OpaqueTool)[] | undefined {
  const tools = Array.isArray(rest.tools) ? readTools(rest.tools) : undefined;
  const functions = Array.isArray(rest.functions) ? readFunctions(rest.functions) : undefined;
  if (tools) delete rest.tools;
  // An empty list can't be restored from the tools, so it passes through.
  if (functions?.length) delete rest.functions;
  return tools || functions?.length ? [...(tools ?? []), ...(functions ?? [])] : undefined;
}

/** Reads the tool choice. Values that can't be written back exactly also pass through. */
function takeToolChoice(rest: JsonObject): TurnRequest['toolChoice'] {
  const choice = readToolChoice(rest.tool_choice);
  if (choice === undefined) return readToolChoice(rest.function_call);
  if (equal(rest.tool_choice, writeToolChoice(choice))) delete rest.tool_choice;
  return choice;
}

function takeOutput(rest: JsonObject): TurnRequest['output'] {
  const output = readOutputForm(rest.response_format);
  if (output) delete rest.response_format;
  return output;
}

function takeReasoning(rest: JsonObject): ReasoningSetting | undefined {
  const effort = take(rest, 'reasoning_effort', isText);
  if (effort === undefined) return undefined;
  return effort === 'none' ? { enabled: false } : { enabled: true, effort };
}

/** The deprecated field passes through, which says where to write the value. */
function takeMaxTokens(rest: JsonObject): number | undefined {
  if (isNumber(rest.max_tokens))
    return isNumber(rest.max_completion_tokens) ? rest.max_completion_tokens : rest.max_tokens;
  return take(rest, 'max_completion_tokens', isNumber);
}

/** A string instead of a list passes through, so that it is written as a string again. */
function takeStop(rest: JsonObject): readonly string[] | undefined {
  if (isString(rest.stop)) return [rest.stop];
  const { stop } = rest;
  if (!Array.isArray(stop) || !stop.every(isString)) return undefined;
  delete rest.stop;
  return stop;
}

/**
 * Streams request their usage by default, so that is omitted. A passthrough means that the request's own value applies.
 */
function leftOfRequest(rest: JsonObject, stream: boolean | undefined): Pick<TurnRequest, 'passthrough'> {
  if (!stream) return passthroughOf(rest);
  const { stream_options: options } = rest;
  const usual = isObject(options) && options.include_usage === true && Object.keys(options).length === 1;
  return usual && Object.keys(rest).length === 1 ? {} : asPassthrough(rest);
}

/** Writes a request body. */
export function writeRequest(request: TurnRequest): Written {
  const warnings: Warning[] = foreignFieldWarnings(format, request);
  const own = ownFields(request);
  const { output, reasoning, stream } = request;
  const wire: JsonObject = {
    ...present({
      model: request.model,
      messages: writeMessages(request.messages, warnings),
      parallel_tool_calls: request.parallelCalls,
      response_format: output && writeOutputForm(output),
      reasoning_effort: reasoning && writeEffort(reasoning, warnings),
      temperature: request.temperature,
      top_p: request.topP,
      stream,
      stream_options: stream && !own ? { include_usage: true } : undefined,
    }),
    ...own,
    ...writeToolFields(request, own),
    ...writeMaxTokens(request.maxTokens, own),
    ...writeStop(request.stop, own),
  };
  return { wire, warnings };
}

/** Writes tools and the tool choice, each to the field it was read from. */
function writeToolFields({ tools, toolChoice }: TurnRequest, own: JsonObject = {}): JsonObject {
  const functions = tools?.filter(isFunctions) ?? [];
  const others = tools?.filter((tool) => !isFunctions(tool));
  const carried = own.tool_choice ?? own.function_call;
  const choice = toolChoice !== undefined && !sameChoice(readToolChoice(carried), toolChoice);
  return {
    ...(others && (others.length > 0 || functions.length === 0) && { tools: writeTools(others) }),
    ...(functions.length > 0 && { functions: writeFunctions(functions) }),
    ...(choice && { tool_choice: writeToolChoice(toolChoice) }),
  };
}

function writeEffort({ enabled, effort, budget }: ReasoningSetting, warnings: Warning[]): JsonValue | undefined {
  if (!enabled) return 'none';
  if (budget !== undefined)
    warnings.push({
      where: 'reasoning.budget',
      what: 'This API format has no reasoning budget; left out',
    });
  return effort;
}

function writeMaxTokens(maxTokens: number | undefined, own: JsonObject = {}): JsonObject {
  if (maxTokens === undefined) return {};
  if (!isNumber(own.max_tokens)) return { max_completion_tokens: maxTokens };
  return isNumber(own.max_completion_tokens) ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
}

function writeStop(stop: readonly string[] | undefined, own: JsonObject = {}): JsonObject {
  if (!stop) return {};
  return { stop: isString(own.stop) && stop.length === 1 ? (stop[0] ?? '') : [...stop] };
}

/** Reads `response_format`; undefined if it doesn't request JSON or is unknown. */
function readOutputForm(wire: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(wire)) return undefined;
  const { type, ...rest } = wire;
  if (type === 'json_object') return { type: 'json', ...passthroughOf(rest) };
  const asked = rest.json_schema;
  if (type !== 'json_schema' || !isObject(asked) || !isObject(asked.schema)) return undefined;
  const { schema, ...left } = asked;
  const name = take(left, 'name', isText);
  const description = take(left, 'description', isString);
  const strict = take(left, 'strict', isBoolean);
  putBack(rest, 'json_schema', left);
  return {
    type: 'schema',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
    ...passthroughOf(rest),
  };
}

/** Writes `response_format`, with a default name because the API requires one. */
function writeOutputForm(form: OutputForm): JsonObject {
  if (form.type === 'json') return mergeOver({ type: 'json_object' }, form);
  const { schema, name = 'answer', description, strict } = form;
  // A schema is JSON, although its type lists the keywords.
  return mergeOver(
    { type: 'json_schema', json_schema: present({ name, description, schema: schema as JsonValue, strict }) },
    form,
  );
}

/** Values of the tool choice. `any` is used by a compatible server. */
const words: Readonly<Record<string, 'auto' | 'none' | 'required'>> = {
  __proto__: null as never,
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
};

/** Reads `tool_choice` or the deprecated `function_call`; undefined if the common format can't express it. */
function readToolChoice(wire: JsonValue | undefined): ToolChoice | undefined {
  if (isText(wire)) return words[wire];
  if (!isObject(wire)) return undefined;
  if (isObject(wire.allowed_tools)) return readToolChoice(wire.allowed_tools.mode);
  const name = isObject(wire.function) ? wire.function.name : wire.type === undefined ? wire.name : undefined;
  return isText(name) ? { tool: name } : undefined;
}

/** Writes `tool_choice`. */
const writeToolChoice = (choice: ToolChoice): JsonValue =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };

/** Whether two choices are equal. */
const sameChoice = (one: ToolChoice | undefined, other: ToolChoice | undefined): boolean =>
  typeof one === 'object' && typeof other === 'object' ? one.tool === other.tool : one === other;

const isSchema = (value: unknown): value is JsonSchema => isBoolean(value) || isObject(value);

/** Reads `tools`. Custom tools stay opaque. */
export const readTools = (wire: unknown): (ToolSpec | OpaqueTool)[] =>
  listAt(wire, 'tools').map((one, index) => readTool(one, `tools.${index}`));

function readTool(wire: JsonValue, where: string): ToolSpec | OpaqueTool {
  const rest = objectAt(wire, where);
  const kind = rest.type ?? 'function';
  if (kind !== 'function') return { type: 'opaque', format, value: wire };
  delete rest.type;
  const left = objectAt(rest.function, `${where}.function`);
  const spec = readFunction(left, `${where}.function`);
  putBack(rest, 'function', left);
  return { ...spec, ...passthroughOf(rest) };
}

/** Removes a function definition from `left` and returns it. */
function readFunction(left: JsonObject, where: string): ToolSpec {
  const name = take(left, 'name', isText);
  if (name === undefined) throw new WireError(`${where}.name`, 'must be a name');
  const description = take(left, 'description', isString);
  const schema = take(left, 'parameters', isSchema);
  const strict = take(left, 'strict', isBoolean);
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema }),
    ...(strict !== undefined && { strict }),
  };
}

/** Reads the deprecated `functions`. */
const readFunctions = (wire: unknown): ToolSpec[] =>
  listAt(wire, 'functions').map((one, index) => {
    const left = objectAt(one, `functions.${index}`);
    const spec = readFunction(left, `functions.${index}`);
    return { ...spec, ...asPassthrough({ type: 'functions', ...left }) };
  });

/** Whether a tool was received in the deprecated `functions`, and is written there. */
const isFunctions = (tool: ToolSpec | OpaqueTool): tool is ToolSpec =>
  tool.type === 'function' && ownFields(tool)?.type === 'functions';

/** Writes `tools`, without those of other providers. */
export const writeTools = (tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] =>
  tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === format ? [tool.value] : [];
    return [mergeOver({ type: 'function', function: writeFunction(tool) }, tool)];
  });

/** Writes the deprecated `functions`. */
const writeFunctions = (tools: readonly ToolSpec[]): JsonObject[] =>
  tools.map((tool) => {
    const { type: _, ...written } = mergeOver(writeFunction(tool), tool);
    return written;
  });

const writeFunction = ({ name, description, schema, strict }: ToolSpec): JsonObject =>
  // A schema is JSON, although its type lists the keywords.
  present({ name, description, parameters: schema as JsonValue | undefined, strict });
