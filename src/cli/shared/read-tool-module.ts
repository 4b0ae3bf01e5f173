import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../execute/tool-result.ts';
import { type Position, positionOf } from '../../json/spans.ts';
import { isObject } from '../../json/value.ts';
import { schemaOf } from '../../schema/schema.ts';
import type { SchemaObject } from '../../schema/types.ts';
import { isStandard } from '../../schema/vendors/standard.ts';
import { isZod } from '../../schema/vendors/zod.ts';
import { makeTool, type Tool } from '../../tools/tool.ts';
import { UsageError } from '../usage-error.ts';

/** A tool that a module exports, with its position in the file. */
export interface ExportedTool extends Position {
  readonly tool: Tool;
}

/** Whether a file is a module and not JSON. */
export const isModule = (file: string): boolean => /\.[cm]?[jt]sx?$/i.test(file);

/**
 * Loads a module and finds the tools that it exports, alone, in lists or in objects: those of Toolmend, MCP, the AI SDK,
 * LangChain and the OpenAI Agents SDK, definitions for a provider, and Zod schemas.
 */
export async function readToolModule(file: string): Promise<ExportedTool[]> {
  const exports = await importModule(file);
  const source = readFileSync(file, 'utf8');
  const found = new Map<unknown, Tool>();
  for (const [name, value] of Object.entries(exports)) await collect(value, name, found);
  if (found.size === 0)
    throw new UsageError(`${file}: no exported tools found. Export tools, a list or an object of them`);
  return [...found.values()].map((tool) => ({ tool, ...placeOf(source, String(tool.name)) }));
}

const deepest = 3;

async function collect(value: unknown, key: string, found: Map<unknown, Tool>, depth = 0): Promise<void> {
  if (typeof value !== 'object' || value === null || found.has(value) || depth > deepest) return;
  const tool = await toolOf(value as Fields, key);
  if (tool) {
    found.set(value, tool);
    return;
  }
  if (Symbol.iterator in value) for (const one of value as Iterable<unknown>) await collect(one, '', found, depth + 1);
  else if (isObject(value) && !isZod(value))
    for (const [name, one] of Object.entries(value)) await collect(one, name, found, depth + 1);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that hold a schema, by framework. */
const schemaFields = ['inputSchema', 'input_schema', 'parametersJsonSchema', 'parameters', 'schema'];

/** The tool of an object; undefined if it is none. */
async function toolOf(value: Fields, key: string): Promise<Tool | undefined> {
  if ('saysOnce' in value) return value as unknown as Tool;
  if (isZod(value)) {
    const schema = schemaOf(value);
    const isInput = isObject(schema.json) && schema.json.type === 'object';
    return isInput ? made(key, (value as Fields).description ?? schema.json.description, value) : undefined;
  }
  // Chat Completions wraps its definitions, and a list of them may have an object around it.
  if (isObject(value.function) && value.type === 'function') return toolOf(value.function, key);
  const field = schemaFields.find((one) => isSchema(value[one]));
  if (field === undefined) return undefined;
  return made(value.name ?? key, value.description, await plainSchema(value[field]), value);
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

const made = (name: unknown, description: unknown, inputSchema: unknown, about: Fields = {}): Tool =>
  makeTool({
    name: name as string,
    description: (description ?? '') as string,
    inputSchema,
    ...(typeof about.effect === 'string' && { effect: about.effect as 'read' }),
  });

/** The AI SDK wraps and defers schemas, and MCP servers are given the fields of an object without the object. */
async function plainSchema(schema: unknown): Promise<unknown> {
  if (isZod(schema) || isStandard(schema)) return schema;
  const value: unknown = typeof schema === 'function' ? schema() : schema;
  if (isObject(value) && 'jsonSchema' in value) return await value.jsonSchema;
  const fields = isObject(value) ? Object.entries(value) : [];
  return fields.length > 0 && fields.every(([, field]) => isZod(field)) ? objectOf(fields) : value;
}

function objectOf(fields: readonly (readonly [string, unknown])[]): SchemaObject {
  const schemas = fields.map(([name, field]) => [name, schemaOf(field)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(schemas.map(([name, { json }]) => [name, json ?? true])),
    required: schemas.flatMap(([name, schema]) => (schema.check(undefined).ok ? [] : [name])),
  };
}

/** Where a name stands in the source: in quotes, otherwise as a word. */
function placeOf(source: string, name: string): Position {
  const places = [`'${name}'`, `"${name}"`, `\`${name}\``].map((text) => source.indexOf(text)).filter((at) => at >= 0);
  const escaped = name.replace(/[^\w]/g, '\\$&');
  const at = places.length > 0 ? Math.min(...places) : source.search(new RegExp(`\\b${escaped}\\b`));
  return positionOf(source, Math.max(at, 0));
}

/** Imports a module that the user named. Errors include the file. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`${file}: can't load the module: ${messageOf(error)}`);
  }
}
