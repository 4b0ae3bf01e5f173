import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OpaqueTool, ToolSpec } from '../../turn/turn.ts';
import { mustBeList, mustBeObject, mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { carried, own, ownObject } from './carried.ts';

/** The tools of a request. */
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
  const left = rest(inner, ['name', ...(described ? ['description'] : []), ...(checked ? ['parameters'] : [])]);
  return {
    type: 'function',
    name: mustBeText(inner.name, `${where}.function.name`),
    ...(described && { description }),
    ...(checked && { schema: parameters as JsonSchema }),
    ...carried({
      ...rest(tool, ['type', 'function']),
      ...(tool.type !== 'function' && { type: null }),
      ...(!isEmpty(left) && { function: left }),
    }),
  };
}

/** Tools for a request. */
export const writeTools = (tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] =>
  tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === 'ollama' ? [tool.value] : [];
    const { type, function: _, ...left } = own(tool) ?? {};
    const definition = {
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      ...(tool.schema !== undefined && { parameters: tool.schema as JsonValue }),
      ...ownObject(tool, 'function'),
    };
    return [{ ...(type !== null && { type: 'function' }), function: definition, ...left }];
  });
