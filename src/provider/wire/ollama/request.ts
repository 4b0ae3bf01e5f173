import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { OpaqueTool, OutputForm, ReasoningSetting, ToolSpec, TurnRequest } from '../../../model/index.ts';
import type { JsonSchema } from '../../../schema/types.ts';
import { isEmpty, unreadFields } from '../passthrough-fields.ts';
import type { Address, Warning, Written } from '../types.ts';
import { isTexts, mustBeList, mustBeObject, mustBeText } from '../validate.ts';
import { foreignFieldWarnings, unsupportedSettings } from '../warnings.ts';
import { ownFields, ownObject, passthroughOf, readMessages, writeMessages } from './messages.ts';

/** Reads a request, which streams by default. */
export function readRequest(value: unknown, address: Address = {}): TurnRequest {
  const wire = mustBeObject(value, '');
  const { settings, left } = readOptions(wire.options);
  const output = readFormat(wire.format);
  const reasoning = readThink(wire.think);
  const { stream } = wire;
  const known = ['model', 'messages', 'tools', 'options', 'stream', output && 'format', reasoning && 'think'];
  const fields: JsonObject = {
    ...unreadFields(
      wire,
      known.filter((key) => key !== undefined),
    ),
    ...((!isEmpty(left) || (isObject(wire.options) && isEmpty(wire.options))) && { options: left }),
    ...(typeof stream !== 'boolean' && { stream: null }),
  };
  return {
    model: mustBeText(wire.model ?? address.model, 'model'),
    messages: readMessages(wire.messages),
    ...(Array.isArray(wire.tools) ? { tools: readTools(wire.tools) } : {}),
    ...settings,
    ...(output && { output }),
    ...(reasoning && { reasoning }),
    ...(stream !== false && { stream: true }),
    ...passthroughOf(fields),
  };
}

/** Reads `json` or a schema; other values pass through. */
function readFormat(format: JsonValue | undefined): OutputForm | undefined {
  if (format === 'json') return { type: 'json' };
  return isObject(format) ? { type: 'schema', schema: format as JsonSchema } : undefined;
}

/** Reads a boolean or an effort level. */
function readThink(think: JsonValue | undefined): ReasoningSetting | undefined {
  if (typeof think === 'boolean') return { enabled: think };
  return typeof think === 'string' && think !== '' ? { enabled: true, effort: think } : undefined;
}

/** Writes a request. */
export function writeRequest(request: TurnRequest): Written {
  const warnings: Warning[] = [
    ...foreignFieldWarnings('ollama', request),
    ...unsupportedSettings(request),
    ...unknown(request),
  ];
  const { options: before, stream: unsaid, ...left } = ownFields(request) ?? {};
  const options = { ...writeOptions(request), ...(isObject(before) && before) };
  const { output, reasoning, tools, stream = false } = request;
  const wire: JsonObject = {
    model: request.model,
    messages: writeMessages(request.messages, warnings),
    ...(tools && { tools: writeTools(tools) }),
    ...(output && { format: output.type === 'json' ? 'json' : (output.schema as JsonValue) }),
    ...((!isEmpty(options) || before !== undefined) && { options }),
    ...(reasoning && { think: reasoning.enabled ? (reasoning.effort ?? true) : false }),
    ...(!(stream && unsaid === null) && { stream }),
    ...left,
  };
  return { wire, warnings };
}

function unknown({ toolChoice, reasoning }: TurnRequest): Warning[] {
  const warnings: Warning[] = [];
  if (toolChoice !== undefined && toolChoice !== 'auto') {
    warnings.push({ where: 'toolChoice', what: 'Calls can be neither required nor forbidden' });
  }
  if (reasoning?.budget !== undefined) {
    warnings.push({ where: 'reasoning.budget', what: 'This API format has no reasoning budget' });
  }
  return warnings;
}

type Settings = Pick<TurnRequest, 'maxTokens' | 'temperature' | 'topP' | 'stop'>;

const numbers = { num_predict: 'maxTokens', temperature: 'temperature', top_p: 'topP' } as const;

/** Reads the settings in `options`, and the remaining fields. */
function readOptions(value: unknown): { settings: Settings; left: JsonObject } {
  const wire = mustBeObject(value ?? {}, 'options');
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = {};
  const known: string[] = [];
  for (const [field, setting] of Object.entries(numbers) as [keyof typeof numbers, 'maxTokens'][]) {
    const given = wire[field];
    // A negative limit means no limit.
    if (typeof given !== 'number' || (field === 'num_predict' && given < 0)) continue;
    settings[setting] = given;
    known.push(field);
  }
  if (isTexts(wire.stop)) {
    settings.stop = wire.stop;
    known.push('stop');
  }
  return { settings, left: unreadFields(wire, known) };
}

/** Writes `options`. */
function writeOptions(request: TurnRequest): JsonObject {
  const wire: JsonObject = {};
  for (const [field, setting] of Object.entries(numbers)) {
    const given = request[setting];
    if (given !== undefined) wire[field] = given;
  }
  if (request.stop) wire.stop = [...request.stop];
  return wire;
}

/** Reads the tools of a request. */
export const readTools = (wire: unknown): (ToolSpec | OpaqueTool)[] =>
  mustBeList(wire, 'tools').map((value, index) => {
    const where = `tools.${index}`;
    const tool = mustBeObject(value, where);
    const isFunction = tool.type === undefined || tool.type === null || tool.type === 'function';
    return isFunction ? readSpec(tool, where) : { type: 'opaque', format: 'ollama', value: tool };
  });

function readSpec(tool: JsonObject, where: string): ToolSpec {
  const inner = mustBeObject(tool.function, `${where}.function`);
  const { description, parameters } = inner;
  const described = typeof description === 'string';
  const checked = isObject(parameters);
  const left = unreadFields(inner, ['name', ...(described ? ['description'] : []), ...(checked ? ['parameters'] : [])]);
  return {
    type: 'function',
    name: mustBeText(inner.name, `${where}.function.name`),
    ...(described && { description }),
    ...(checked && { schema: parameters as JsonSchema }),
    ...passthroughOf({
      ...unreadFields(tool, ['type', 'function']),
      ...(tool.type !== 'function' && { type: null }),
      ...(!isEmpty(left) && { function: left }),
    }),
  };
}

/** Writes tools. */
export const writeTools = (tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] =>
  tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === 'ollama' ? [tool.value] : [];
    const { type, function: _, ...left } = ownFields(tool) ?? {};
    const definition = {
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      ...(tool.schema !== undefined && { parameters: tool.schema as JsonValue }),
      ...ownObject(tool, 'function'),
    };
    return [{ ...(type !== null && { type: 'function' }), function: definition, ...left }];
  });
