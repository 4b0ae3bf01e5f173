import { equal } from '../../json/equal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OpaqueTool, ToolSpec } from '../../turn/turn.ts';
import { mustBeList, mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { carried, own } from './carried.ts';
import { jsonTypes } from './json-types.ts';
import { proto } from './proto.ts';

type AnyTool = ToolSpec | OpaqueTool;

/** The tools of a request: functions one by one, and whatever else stands beside them. */
export function readTools(wire: unknown, where = 'tools'): AnyTool[] {
  return mustBeList(wire, where).flatMap((value, index): AnyTool[] => {
    const tool = proto(value, `${where}.${index}`);
    const at = `${where}.${index}.functionDeclarations`;
    const functions = mustBeList(tool.functionDeclarations, at).map((one, place) => readSpec(one, `${at}.${place}`));
    const others = rest(tool, ['functionDeclarations']);
    return isEmpty(others) ? functions : [...functions, { type: 'opaque', format: 'gemini', value: others }];
  });
}

/** Tools for a request: neighbouring functions share one object. */
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

/** Whether reading and writing changes how functions are put together, so that the list must be carried as it came. */
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
    ...carried(rest(wire, known)),
  };
}

/** The schema stands under the field it came in, and as it came where it still says the same. */
function writeSpec(spec: ToolSpec): JsonObject {
  const { parameters, ...left } = own(spec) ?? {};
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
