import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OpaqueTool, ToolSpec } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { mustBeObject } from '../must-be.ts';
import { WireError } from '../wire-error.ts';
import { format, lay, rest } from './pen.ts';

/** Tools of the caller's own as specs; those the provider runs or defines itself stay opaque. */
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
  return { type: 'function', name, ...fields, ...rest(tool, known) };
}

/** Tools in this wire's form. Every input schema says `type: object`, because the provider insists. */
export function writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonObject[] {
  return tools.flatMap((tool): JsonObject[] => {
    if (tool.type === 'opaque') return tool.format === format && isObject(tool.value) ? [tool.value] : [];
    const { name, description, schema, strict } = tool;
    const written = present({ name, description, input_schema: inputSchema(schema), strict });
    return [lay(written, tool)];
  });
}

const inputSchema = (schema: JsonSchema | undefined): JsonValue =>
  // Schemas are JSON already; their type only says more about the words in them.
  isObject(schema) ? ({ type: 'object', ...schema } as JsonObject) : { type: 'object', properties: {} };
