import { equal, isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { OpaqueTool, ToolSpec } from '../../../model/index.ts';
import type { JsonSchema } from '../../../schema/types.ts';
import { isEmpty, unreadFields } from '../passthrough-fields.ts';
import { mustBeList, mustBeText } from '../validate.ts';
import { ownFields, passthroughOf, proto } from './fields.ts';

type AnyTool = ToolSpec | OpaqueTool;

/** Reads the tools of a request: each function, and other tools as opaque. */
export function readTools(wire: unknown, where = 'tools'): AnyTool[] {
  return mustBeList(wire, where).flatMap((value, index): AnyTool[] => {
    const tool = proto(value, `${where}.${index}`);
    const at = `${where}.${index}.functionDeclarations`;
    const functions = mustBeList(tool.functionDeclarations, at).map((one, place) => readSpec(one, `${at}.${place}`));
    const others = unreadFields(tool, ['functionDeclarations']);
    return isEmpty(others) ? functions : [...functions, { type: 'opaque', format: 'gemini', value: others }];
  });
}

/** Writes tools. Adjacent functions share one object. */
export function writeTools(tools: readonly AnyTool[]): JsonObject[] {
  const wire: JsonObject[] = [];
  let functions: JsonValue[] | undefined;
  for (const tool of tools) {
    if (tool.type === 'function') {
      if (!functions) {
        functions = [];
        wire.push({ functionDeclarations: functions });
      }
      functions.push(writeSpec(tool));
    } else if (tool.format === 'gemini') {
      functions = undefined;
      wire.push(tool.value as JsonObject);
    }
  }
  return wire;
}

/** Whether reading and writing changes how functions are grouped, so that the list must pass through. */
export const regrouped = (wire: unknown): boolean => !equal(writeTools(readTools(wire)), wire);

function readSpec(value: unknown, where: string): ToolSpec {
  const wire = proto(value, where);
  const { description, parametersJsonSchema, parameters } = wire;
  const schema = parametersJsonSchema ?? parameters;
  const described = typeof description === 'string';
  const known = ['name', 'parametersJsonSchema', ...(described ? ['description'] : [])];
  return {
    type: 'function',
    name: mustBeText(wire.name, `${where}.name`),
    ...(described && { description }),
    ...(schema !== undefined && schema !== null && { schema: jsonTypes(schema) as JsonSchema }),
    ...passthroughOf(wire, known),
  };
}

/** Writes a tool. The schema goes to the field it was read from, and stays as received if it hasn't changed. */
function writeSpec(spec: ToolSpec): JsonObject {
  const { parameters, ...left } = ownFields(spec) ?? {};
  const schema = spec.schema as JsonValue | undefined;
  const before = parameters !== undefined && equal(jsonTypes(parameters), schema) ? parameters : schema;
  const field = parameters === undefined ? 'parametersJsonSchema' : 'parameters';
  return {
    name: spec.name,
    ...(spec.description !== undefined && { description: spec.description }),
    ...(before !== undefined && { [field]: before }),
    ...left,
  };
}

/** Gemini's names of JSON types. */
const upper = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);

/** Keywords that contain a schema, a list of schemas, or schemas by name. */
const within: Readonly<Record<string, 'one' | 'list' | 'named'>> = {
  items: 'one',
  additionalProperties: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  prefixItems: 'list',
  properties: 'named',
  $defs: 'named',
  defs: 'named',
};

/** Maximum depth, so that no schema can overflow the stack. */
const deepest = 200;

/** Converts the type names of Gemini's schemas to JSON Schema. Returns the same object if nothing changes. */
export function jsonTypes(schema: JsonValue, depth = 0): JsonValue {
  if (!isObject(schema) || depth > deepest) return schema;
  let whole: JsonObject = schema;
  for (const [word, value] of Object.entries(schema)) {
    const read = word === 'type' ? typeName(value) : inner(within[word], value, depth + 1);
    if (read !== value) whole = { ...whole, [word]: read };
  }
  return whole;
}

const typeName = (value: JsonValue): JsonValue =>
  typeof value === 'string' && upper.has(value) ? value.toLowerCase() : value;

function inner(kind: 'one' | 'list' | 'named' | undefined, value: JsonValue, depth: number): JsonValue {
  if (kind === 'one') return jsonTypes(value, depth);
  if (kind === 'list' && Array.isArray(value))
    return same(
      value,
      value.map((item) => jsonTypes(item, depth)),
    );
  if (kind !== 'named' || !isObject(value)) return value;
  const named = Object.entries(value).map(([name, one]) => [name, jsonTypes(one, depth)] as const);
  return named.every(([name, one]) => one === value[name]) ? value : Object.fromEntries(named);
}

const same = (before: JsonValue[], after: JsonValue[]): JsonValue[] =>
  after.every((item, index) => item === before[index]) ? before : after;
