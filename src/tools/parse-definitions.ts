import { isObject, type Path } from '../json/value.ts';
import type { McpTool } from './tool-from-mcp.ts';

/** A tool definition found in a file, in MCP's form, with where it stands. */
export interface ParsedDefinition {
  readonly definition: McpTool;
  /** Where the object with the name is. */
  readonly at: Path;
  /** The word it keeps its schema under. */
  readonly schemaKey: string;
}

const schemaKeys = ['inputSchema', 'input_schema', 'parameters'];
const listKeys = ['tools', 'functions', 'functionDeclarations', 'function_declarations', 'result'];

/**
 * The tool definitions in a parsed file: one, a list, or an object that holds a list; in the form of MCP, Anthropic,
 * OpenAI or Gemini. What is no definition is left out and its place given to `stray`.
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
  // A stranger's file: the name may be anything, and the checks of definitions say so.
  const definition = { ...value, inputSchema: schemaKey && value[schemaKey] } as unknown as McpTool;
  return [{ definition, at, schemaKey: schemaKey ?? 'inputSchema' }];
}
