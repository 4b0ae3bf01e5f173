import { equal, isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { OutputForm, ReasoningSetting, ToolChoice, TurnRequest } from '../../../model/index.ts';
import type { JsonSchema } from '../../../schema/types.ts';
import { type Form, isEmpty, readVerbatim, unreadFields, writeVerbatim } from '../passthrough-fields.ts';
import type { Address, Warning, Written } from '../types.ts';
import { isTexts } from '../validate.ts';
import { foreignFieldWarnings, unsupportedSettings } from '../warnings.ts';
import { asPassthrough, ownFields, passthroughOf, proto } from './fields.ts';
import { readMessages, readSystem, writeMessages } from './messages.ts';
import { jsonTypes, readTools, regrouped, writeTools } from './tools.ts';

const known = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'];

/** Reads a request. The model and the streaming mode are in its URL. */
export function readRequest(value: unknown, address: Address = {}): TurnRequest {
  const wire = proto(value, '');
  const { settings, left } = readGenerationConfig(wire.generationConfig ?? {});
  const toolChoice = readToolChoice(wire.toolConfig);
  const tools = readTools(wire.tools);
  const fields: JsonObject = {
    ...unreadFields(wire, known),
    ...asTheyCame(wire, toolChoice),
    ...((!isEmpty(left) || emptied(wire.generationConfig)) && { generationConfig: left }),
  };
  return {
    model: address.model ?? (typeof wire.model === 'string' ? wire.model : ''),
    messages: [...readSystem(wire.systemInstruction), ...readMessages(wire.contents)],
    ...(Array.isArray(wire.tools) && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...settings,
    ...(address.stream !== undefined && { stream: address.stream }),
    ...passthroughOf(fields),
  };
}

/** Fields that would not be written exactly as received. */
function asTheyCame({ tools, toolConfig }: JsonObject, choice: TurnRequest['toolChoice']): JsonObject {
  return {
    ...(Array.isArray(tools) && regrouped(tools) && { tools }),
    ...(isObject(toolConfig) && !equal(writeToolChoice(choice, undefined), toolConfig) && { toolConfig }),
  };
}

const emptied = (value: unknown): boolean => isObject(value) && isEmpty(value);

/** Writes a request. The model and the streaming mode go into the URL (`pathOf`). */
export function writeRequest(request: TurnRequest): Written {
  const warnings: Warning[] = [...foreignFieldWarnings('gemini', request), ...unsupportedSettings(request)];
  const { tools, toolConfig, generationConfig, ...left } = ownFields(request) ?? {};
  const config = { ...writeGenerationConfig(request), ...(isObject(generationConfig) && generationConfig) };
  const choice = writeToolChoice(request.toolChoice, toolConfig);
  const wire: JsonObject = {
    ...writeMessages(request.messages, warnings),
    ...(request.tools && { tools: toolList(request.tools, tools) }),
    ...(choice && { toolConfig: choice }),
    ...((!isEmpty(config) || generationConfig !== undefined) && { generationConfig: config }),
    ...left,
  };
  return { wire, warnings };
}

/** The tools as grouped when received, if they haven't changed. */
function toolList(tools: NonNullable<TurnRequest['tools']>, before: JsonValue | undefined): JsonValue[] {
  return Array.isArray(before) && equal(readTools(before), tools) ? before : writeTools(tools);
}

type Settings = Pick<TurnRequest, 'maxTokens' | 'temperature' | 'topP' | 'stop' | 'output' | 'reasoning'>;

const numbers = { maxOutputTokens: 'maxTokens', temperature: 'temperature', topP: 'topP' } as const;

/** Reads the settings in `generationConfig`, and the remaining fields. */
function readGenerationConfig(value: unknown): { settings: Settings; left: JsonObject } {
  const wire = proto(value, 'generationConfig');
  const known: string[] = [];
  const settings: { -readonly [K in keyof Settings]: Settings[K] } = {};
  for (const [field, setting] of Object.entries(numbers) as [string, 'maxTokens'][]) {
    const given = wire[field];
    if (typeof given !== 'number') continue;
    settings[setting] = given;
    known.push(field);
  }
  if (isTexts(wire.stopSequences)) {
    settings.stop = wire.stopSequences;
    known.push('stopSequences');
  }
  const output = readOutput(wire);
  if (output) {
    settings.output = output;
    known.push(...outputFields);
  }
  if (isObject(wire.thinkingConfig)) {
    settings.reasoning = readVerbatim(thinking, wire.thinkingConfig);
    known.push('thinkingConfig');
  }
  return { settings, left: unreadFields(wire, known) };
}

/** Writes `generationConfig`. */
function writeGenerationConfig(request: TurnRequest): JsonObject {
  const wire: JsonObject = {};
  for (const [field, setting] of Object.entries(numbers)) {
    const given = request[setting];
    if (given !== undefined) wire[field] = given;
  }
  if (request.stop) wire.stopSequences = [...request.stop];
  if (request.reasoning) wire.thinkingConfig = writeVerbatim(thinking, request.reasoning);
  return { ...wire, ...(request.output && writeOutput(request.output)) };
}

const json = 'application/json';

/** Output fields of `generationConfig`. */
const outputFields: readonly string[] = ['responseMimeType', 'responseSchema', 'responseJsonSchema'];

/** Reads the output form; undefined if it isn't JSON. */
function readOutput(config: JsonObject): OutputForm | undefined {
  if (config.responseMimeType !== json) return undefined;
  const { responseJsonSchema, responseSchema } = config;
  const schema = responseJsonSchema ?? responseSchema;
  if (schema === undefined || schema === null) return { type: 'json' };
  // A `responseSchema` passes through, so that it is written to its own field.
  const left = responseSchema === undefined ? {} : asPassthrough({ responseSchema });
  return { type: 'schema', schema: jsonTypes(schema) as JsonSchema, ...left };
}

/** Writes the output form. */
function writeOutput(form: OutputForm): JsonObject {
  if (form.type === 'json') return { responseMimeType: json };
  const schema = form.schema as JsonValue;
  const before = ownFields(form)?.responseSchema;
  if (before === undefined) return { responseMimeType: json, responseJsonSchema: schema };
  return { responseMimeType: json, responseSchema: equal(jsonTypes(before), schema) ? before : schema };
}

const levels = ['minimal', 'low', 'medium', 'high'];

/** `thinkingConfig`: a budget of 0 disables thinking, -1 lets the model decide. */
const thinking: Form<ReasoningSetting> = {
  format: 'gemini',

  read(wire) {
    const { thinkingBudget: budget, thinkingLevel: level } = proto(wire, 'generationConfig.thinkingConfig');
    if (budget === 0) return { enabled: false };
    return {
      enabled: true,
      ...(typeof level === 'string' && { effort: level.toLowerCase() }),
      ...(typeof budget === 'number' && budget > 0 && { budget }),
    };
  },

  write({ enabled, effort, budget }): JsonObject {
    if (!enabled) return { thinkingBudget: 0 };
    return {
      includeThoughts: true,
      ...(effort !== undefined && { thinkingLevel: levels.includes(effort) ? effort.toUpperCase() : effort }),
      ...(budget !== undefined && { thinkingBudget: budget }),
    };
  },
};

/** Calling modes. `VALIDATED` is `AUTO` with enforced schemas. */
const modes: Readonly<Record<string, ToolChoice>> = { AUTO: 'auto', VALIDATED: 'auto', ANY: 'required', NONE: 'none' };

/** Reads the tool choice in `toolConfig`. */
function readToolChoice(toolConfig: unknown): ToolChoice | undefined {
  const { functionCallingConfig } = proto(toolConfig ?? {}, 'toolConfig');
  const { mode, allowedFunctionNames } = proto(functionCallingConfig ?? {}, 'toolConfig.functionCallingConfig');
  const choice = typeof mode === 'string' ? modes[mode.toUpperCase()] : undefined;
  const [tool, ...others] = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  return choice === 'required' && typeof tool === 'string' && others.length === 0 ? { tool } : choice;
}

/** Writes `toolConfig`; keeps the received one (`before`) if it has the same meaning. */
function writeToolChoice(choice: ToolChoice | undefined, before: unknown): JsonObject | undefined {
  const carried = isObject(before) ? before : undefined;
  if (carried && equal(readToolChoice(carried), choice)) return carried;
  const functionCallingConfig = choice === undefined ? undefined : written(choice);
  const { functionCallingConfig: _, ...left } = carried ?? {};
  return functionCallingConfig ? { ...left, functionCallingConfig } : carried && left;
}

function written(choice: ToolChoice): JsonObject {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.tool] };
  return { mode: { auto: 'AUTO', required: 'ANY', none: 'NONE' }[choice] };
}
