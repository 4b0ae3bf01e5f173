import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../exec/tool-result.ts';
import { isObject } from '../../json/value.ts';
import { type Tool, type ToolDefinition, tool } from '../../tool/tool.ts';
import { UsageError } from '../usage-error.ts';

/** The tools a module exports: one by one, in lists or toolboxes, made by `tool()` or written as plain objects. */
export async function readToolModule(file: string): Promise<Tool[]> {
  if (!existsSync(file)) throw new UsageError(`${file}: there is no such file`);
  let exports: Record<string, unknown>;
  try {
    exports = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`${file}: it can't be loaded: ${messageOf(error)}`);
  }
  const found = [...new Set(Object.values(exports).flatMap(toolsIn))];
  if (found.length === 0)
    throw new UsageError(`${file}: it exports no tools; export what tool() makes, or a list of it`);
  return found;
}

function toolsIn(value: unknown): Tool[] {
  if (isTool(value)) return [value];
  if (isDefinition(value)) return [tool(value)];
  return isIterable(value) ? [...value].flatMap((one) => (isTool(one) || isDefinition(one) ? toolsIn(one) : [])) : [];
}

const isDefinition = (value: unknown): value is ToolDefinition =>
  isObject(value) && typeof value.name === 'string' && (typeof value.run === 'function' || isObject(value.executor));

const isTool = (value: unknown): value is Tool => isDefinition(value) && 'schema' in value && 'saysOnce' in value;

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
