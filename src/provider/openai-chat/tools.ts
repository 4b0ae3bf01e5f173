import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OpaqueTool, ToolSpec } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { WireError } from '../wire-error.ts';
import { format, isBoolean, isString, isText, lay, leave, listAt, objectAt, ownFields, putBack, take } from './take.ts';

const isSchema = (value: unknown): value is JsonSchema => isBoolean(value) || isObject(value);

/** Reads `tools`; what is no function, a custom tool say, is kept as it came. */
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
  return { ...spec, ...leave(rest) };
}

/** Takes a function's definition out of `left`. */
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
export const readFunctions = (wire: unknown): ToolSpec[] =>
  listAt(wire, 'functions').map((one, index) => {
    const left = objectAt(one, `functions.${index}`);
    const spec = readFunction(left, `functions.${index}`);
    return { ...spec, extra: { format, fields: { type: 'functions', ...left } } };
  });

/** Whether a tool came among the deprecated `functions`, and so goes back there. */
export const isFunctions = (tool: ToolSpec | OpaqueTool): tool is ToolSpec =>
  tool.type === 'function' && ownFields(tool)?.type === 'functions';

/** Writes `tools`; those another format alone knows are left out. */
export const writeTools = (tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] =>
  tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === format ? [tool.value] : [];
    return [lay({ type: 'function', function: writeFunction(tool) }, tool)];
  });

/** Writes the deprecated `functions`. */
export const writeFunctions = (tools: readonly ToolSpec[]): JsonObject[] =>
  tools.map((tool) => {
    const { type: _, ...written } = lay(writeFunction(tool), tool);
    return written;
  });

const writeFunction = ({ name, description, schema, strict }: ToolSpec): JsonObject =>
  // A schema is JSON, though its type names the words it knows.
  present({ name, description, parameters: schema as JsonValue | undefined, strict });
