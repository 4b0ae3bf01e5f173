import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../../json/value.ts';
import type { OpaqueTool, ToolChoice, ToolSpec } from '../../turn/turn.ts';
import { layOver, present } from '../carry.ts';
import { mustBeList, mustBeObject } from '../must-be.ts';
import { rest } from '../rest.ts';
import { expectText } from './expect.ts';
import { format, ownFields, passthrough } from './format.ts';

/** Reads a list of tools: functions, and the provider's own, which are kept whole. */
export const readTools = (wire: unknown, where = 'tools'): (ToolSpec | OpaqueTool)[] =>
  mustBeList(wire, where).map((tool, index) => readTool(mustBeObject(tool, `${where}.${index}`), `${where}.${index}`));

function readTool(tool: JsonObject, where: string): ToolSpec | OpaqueTool {
  if (tool.type !== 'function') return { type: 'opaque', format, value: tool };
  const { description, parameters, strict } = tool;
  const known = ['type', 'name'];
  if (typeof description === 'string') known.push('description');
  if (isObject(parameters)) known.push('parameters');
  if (typeof strict === 'boolean') known.push('strict');
  const left = rest(tool, known);
  return {
    type: 'function',
    name: expectText(tool.name, `${where}.name`),
    ...(typeof description === 'string' && { description }),
    ...(isObject(parameters) && { schema: parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    // An extra, though empty, tells that the schema was left out, where one would otherwise be written.
    ...((Object.keys(left).length > 0 || parameters === undefined) && passthrough(left)),
  };
}

/** Writes tools in their flat form; tools of another wire's provider are left out. */
export function writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[] {
  return tools.flatMap((tool): JsonValue[] => {
    if (tool.type === 'opaque') return tool.format === format ? [tool.value] : [];
    const { name, description, strict } = tool;
    const parameters = (tool.schema as JsonObject | undefined) ?? (ownFields(tool) ? undefined : noArguments);
    return [layOver(format, present({ type: 'function', name, description, parameters, strict }), tool)];
  });
}

const noArguments: JsonObject = { type: 'object', properties: {} };

const words: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

/** Reads which tool may be called; nothing where the middle shape has no word for it. */
export function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (words.has(choice)) return choice as ToolChoice;
  if (!isObject(choice) || choice.type !== 'function' || Object.keys(choice).length !== 2) return undefined;
  return typeof choice.name === 'string' ? { tool: choice.name } : undefined;
}

/** Writes which tool may be called. */
export const writeToolChoice = (choice: ToolChoice): JsonValue =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };
