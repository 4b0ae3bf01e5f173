import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type {
  Message,
  OpaqueTool,
  OutputForm,
  ReasoningSetting,
  ToolChoice,
  ToolSpec,
  TurnRequest,
} from '../../../model/index.ts';
import { present, unreadFields } from '../passthrough-fields.ts';
import type { Address, Warning, Written } from '../types.ts';
import { mustBeList, mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { asPassthrough, expectText, format, layOver, ownFields, passthroughOf } from './fields.ts';
import { readMessages, writeMessages } from './messages.ts';

/** Reads a request body. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const body = mustBeObject(wire, '');
  const { instructions, text } = body;
  const system: Message[] =
    typeof instructions === 'string' ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }] : [];
  const said = readMessages(body.input, 'input');
  const settings = present(readSettings(body) as JsonObject);
  const output = isObject(text) ? readOutputForm(text.format) : undefined;
  const reasoning = readReasoningSetting(body.reasoning);
  const read: TurnRequest = {
    model: body.model === undefined ? expectText(address.model ?? '', 'model') : expectText(body.model, 'model'),
    messages: [...system, ...said],
    ...(Array.isArray(body.tools) && { tools: readTools(body.tools) }),
    ...(output && { output }),
    ...(reasoning && { reasoning }),
    ...settings,
  };
  return { ...read, ...leftOver(body, read, said.length > 0 || typeof body.input === 'string') };
}

/** Fields that only differ in name. */
const plain = [
  ['parallel_tool_calls', 'parallelCalls', 'boolean'],
  ['max_output_tokens', 'maxTokens', 'number'],
  ['temperature', 'temperature', 'number'],
  ['top_p', 'topP', 'number'],
  ['stream', 'stream', 'boolean'],
] as const;

function readSettings(body: JsonObject): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [wire, name, type] of plain) {
    const value = body[wire];
    if (typeof value === type) settings[name] = value;
  }
  settings.toolChoice = readToolChoice(body.tool_choice);
  return settings;
}

/** Fields of the body that were not read. */
function leftOver(body: JsonObject, read: TurnRequest, said: boolean): Pick<TurnRequest, 'passthrough'> {
  const known = ['model'];
  for (const [wire, name] of plain) if (read[name] !== undefined) known.push(wire);
  if (typeof body.instructions === 'string') known.push('instructions');
  if (said) known.push('input');
  if (read.tools) known.push('tools');
  if (read.toolChoice !== undefined) known.push('tool_choice');
  if (read.reasoning) known.push('reasoning');
  const left = unreadFields(body, known);
  if (read.output && isObject(left.text)) {
    const text = unreadFields(left.text, ['format']);
    if (Object.keys(text).length > 0) left.text = text;
    else delete left.text;
  }
  return passthroughOf(left);
}

/** Writes a request body. */
export function writeRequest(request: TurnRequest): Written {
  const warnings = foreignFieldWarnings(format, request);
  const { model, tools, toolChoice, parallelCalls, output, reasoning, maxTokens, temperature, topP, stream } = request;
  if (request.stop) warnings.push({ where: 'stop', what: 'This API format has no stop sequences' });
  const said = writeMessages(request.messages, warnings);
  const text = ownFields(request)?.text;
  const settings = present({
    model,
    tools: tools && writeTools(tools),
    tool_choice: toolChoice === undefined ? undefined : writeToolChoice(toolChoice),
    parallel_tool_calls: parallelCalls,
    reasoning: reasoning && writeReasoningSetting(reasoning, warnings),
    max_output_tokens: maxTokens,
    temperature,
    top_p: topP,
    stream,
  });
  const shape: JsonObject = output
    ? { text: { ...(isObject(text) ? text : {}), format: writeOutputForm(output) } }
    : {};
  return { wire: { ...layOver(settings, request), ...shape, ...said }, warnings };
}

/** Reads `text.format`; undefined for plain text. */
function readOutputForm(wire: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(wire)) return undefined;
  if (wire.type === 'json_object') return { type: 'json', ...passthroughOf(wire, ['type']) };
  const { type, schema, name, description, strict } = wire;
  if (type !== 'json_schema' || !isObject(schema)) return undefined;
  return {
    type: 'schema',
    schema,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
    ...passthroughOf(wire, [
      'type',
      'schema',
      ...(typeof name === 'string' ? ['name'] : []),
      ...(typeof description === 'string' ? ['description'] : []),
      ...(typeof strict === 'boolean' ? ['strict'] : []),
    ]),
  };
}

/** Writes `text.format`, with a default name because the API requires one. */
function writeOutputForm(output: OutputForm): JsonObject {
  if (output.type === 'json') return layOver({ type: 'json_object' }, output);
  const { name = 'output', schema, description, strict } = output;
  const written = present({ type: 'json_schema', name, schema: schema as JsonObject, description, strict });
  return layOver(written, output);
}

/** Reads `reasoning`. */
function readReasoningSetting(wire: JsonValue | undefined): ReasoningSetting | undefined {
  if (!isObject(wire)) return undefined;
  const { effort } = wire;
  if (effort === 'none') return { enabled: false, ...passthroughOf(wire, ['effort']) };
  if (typeof effort !== 'string') return { enabled: true, ...passthroughOf(wire) };
  return { enabled: true, effort, ...passthroughOf(wire, ['effort']) };
}

/** Writes `reasoning`. The API has effort levels but no token budget. */
function writeReasoningSetting(setting: ReasoningSetting, warnings: Warning[]): JsonObject {
  if (setting.budget !== undefined)
    warnings.push({ where: 'reasoning.budget', what: 'This API format has no reasoning budget' });
  const effort = setting.enabled ? setting.effort : 'none';
  return layOver(present({ effort }), setting);
}

/** Reads a list of tools. The provider's own tools stay opaque. */
export const readTools = (wire: unknown, where = 'tools'): (ToolSpec | OpaqueTool)[] =>
  mustBeList(wire, where).map((tool, index) => readTool(mustBeObject(tool, `${where}.${index}`), `${where}.${index}`));

function readTool(tool: JsonObject, where: string): ToolSpec | OpaqueTool {
  if (tool.type !== 'function') return { type: 'opaque', format, value: tool };
  const { description, parameters, strict } = tool;
  const known = ['type', 'name'];
  if (typeof description === 'string') known.push('description');
  if (isObject(parameters)) known.push('parameters');
  if (typeof strict === 'boolean') known.push('strict');
  const left = unreadFields(tool, known);
  return {
    type: 'function',
    name: expectText(tool.name, `${where}.name`),
    ...(typeof description === 'string' && { description }),
    ...(isObject(parameters) && { schema: parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    // Even an empty passthrough matters: it says that the schema was omitted.
    ...((Object.keys(left).length > 0 || parameters === undefined) && asPassthrough(left)),
  };
}

/** Writes tools, without those of other providers. */
export function writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] {
  return tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === format ? [tool.value] : [];
    const { name, description, strict } = tool;
    const parameters = (tool.schema as JsonObject | undefined) ?? (ownFields(tool) ? undefined : noArguments);
    return [layOver(present({ type: 'function', name, description, parameters, strict }), tool)];
  });
}

const noArguments: JsonObject = { type: 'object', properties: {} };

const words: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

/** Reads `tool_choice`; undefined if the common format can't express it. */
function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (words.has(choice)) return choice as ToolChoice;
  if (!isObject(choice) || choice.type !== 'function' || Object.keys(choice).length !== 2) return undefined;
  return typeof choice.name === 'string' ? { tool: choice.name } : undefined;
}

/** Writes `tool_choice`. */
const writeToolChoice = (choice: ToolChoice): JsonValue =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };

/** Sets `strict` on every tool, because the service enables it by default. */
export const withExplicitStrict = (request: TurnRequest): TurnRequest =>
  request.tools
    ? {
        ...request,
        tools: request.tools.map((tool) =>
          tool.type === 'function' && tool.strict === undefined ? { ...tool, strict: false } : tool,
        ),
      }
    : request;
