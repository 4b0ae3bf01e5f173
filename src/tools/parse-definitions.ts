import { isObject, type Path } from '../json/value.ts';
import type { McpTool } from './tool-from-mcp.ts';

/** A tool definition from a file, in MCP format, with its location. */
export interface ParsedDefinition {
  readonly definition: McpTool;
  /** Path of the object with the name. */
  readonly at: Path;
  /** The key of its schema. */
  readonly schemaKey: string;
}

const schemaKeys = ['inputSchema', 'input_schema', 'parameters'];
const listKeys = ['tools', 'functions', 'functionDeclarations', 'function_declarations', 'result'];

/**
 * Finds the tool definitions in a parsed file: one, a list, or an object with a list, in the format of MCP, Anthropic,
 * OpenAI or Gemini. Calls `stray` with the path of anything else.
 */
export function parseDefinitions(
  value: unknown,
  stray: (at: Path) => void = () => {},
  at: Path = [],
): ParsedDefinition[] {
  if (at.length > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => parseDefinitions(item, stray, [...at, index]));
  if (!isObject(value)) {
    stray(at);
    return [];
  }
  if (isObject(value.function)) return parseDefinitions(value.function, stray, [...at, 'function']);
  const listKey = listKeys.find((key) => typeof value[key] === 'object' && value[key] !== null);
  if (listKey && typeof value.name !== 'string') return parseDefinitions(value[listKey], stray, [...at, listKey]);
  const schemaKey = schemaKeys.find((key) => Object.hasOwn(value, key));
  if (schemaKey === undefined && typeof value.name !== 'string') {
    stray(at);
    return [];
  }
  // The name in an untrusted file may be anything; definition checks report it.
  const definition = { ...value, inputSchema: schemaKey && value[schemaKey] } as unknown as McpTool;
  return [{ definition, at, schemaKey: schemaKey ?? 'inputSchema' }];
}
