import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { parseDefinitions } from '../../tools/parse-definitions.ts';
import { type Tool, type ToolDefinition, tool } from '../../tools/tool.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { importModule } from '../shared/read-tool-module.ts';
import { UsageError } from '../usage-error.ts';

/** The tools of several files. */
interface LoadedTools {
  readonly toolbox: Toolbox;
  /** Messages for the user. */
  readonly notices: readonly string[];
}

/** Loads tools from modules, which can run, and from JSON definitions, which can't. */
export async function loadTools(files: readonly string[]): Promise<LoadedTools> {
  const toolbox = new Toolbox();
  const notices: string[] = [];
  for (const file of files) {
    const isJson = file.toLowerCase().endsWith('.json');
    const tools = isJson ? definitionsOf(file) : await exportedTools(file);
    for (const one of tools) add(toolbox, one, file);
    if (isJson) notices.push(`${file} has definitions without code: calls are checked, but can't run.`);
  }
  return { toolbox, notices };
}

function definitionsOf(file: string): Tool[] {
  const found = parseDefinitions(readJsonFile(file).value);
  if (found.length === 0) throw new UsageError(`${file}: no tool definitions found`);
  return found.map(({ definition }) =>
    toolFromMcp(definition, { trusted: true, execute: () => cannotRun(definition.name) }),
  );
}

/** Without this, the run would wait for a result from outside. */
function cannotRun(name: string): never {
  throw new ToolmendError('invalid_tool', `The tool '${name}' has neither execute nor an executor`);
}

/** Adds a tool. Errors name its file. */
function add(toolbox: Toolbox, one: Tool, file: string): void {
  try {
    toolbox.add(one);
  } catch (error) {
    if (!(error instanceof ConfigurationValidationError)) throw error;
    throw new UsageError(`${file}: ${error.message}`);
  }
}

/** The tools that a module exports: single ones, lists or toolboxes, created with `tool()` or as plain objects. */
async function exportedTools(file: string): Promise<Tool[]> {
  const found = [...new Set(Object.values(await importModule(file)).flatMap(toolsIn))];
  if (found.length === 0)
    throw new UsageError(`${file}: no exported tools found. Export tools made with tool(), or a list of them`);
  return found;
}

function toolsIn(value: unknown): Tool[] {
  if (isTool(value)) return [value];
  if (isDefinition(value)) return [tool(value)];
  return isIterable(value) ? [...value].flatMap((one) => (isTool(one) || isDefinition(one) ? toolsIn(one) : [])) : [];
}

const isDefinition = (value: unknown): value is ToolDefinition =>
  isObject(value) &&
  typeof value.name === 'string' &&
  (typeof value.execute === 'function' || isObject(value.executor));

const isTool = (value: unknown): value is Tool => isDefinition(value) && 'schema' in value && 'saysOnce' in value;

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
