import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { toolFromMcp } from '../../tool/mcp.ts';
import { readDefinitions } from '../../tool/read-definitions.ts';
import type { Tool } from '../../tool/tool.ts';
import { Toolbox } from '../../tool/toolbox.ts';
import { readJsonFile } from '../read-json-file.ts';
import { UsageError } from '../usage-error.ts';
import { readToolModule } from './read-tool-module.ts';

/** The tools of some files. */
export interface LoadedTools {
  readonly toolbox: Toolbox;
  /** What a person should know about them. */
  readonly notices: readonly string[];
}

/** Loads tools from modules, which can run them, and from JSON definitions, which can't. */
export async function loadTools(files: readonly string[]): Promise<LoadedTools> {
  const toolbox = new Toolbox();
  const notices: string[] = [];
  for (const file of files) {
    const isJson = file.toLowerCase().endsWith('.json');
    const tools = isJson ? definitionsOf(file) : await readToolModule(file);
    for (const one of tools) add(toolbox, one, file);
    if (isJson)
      notices.push(`${file} holds definitions only: calls are checked, and then fail, for nothing can run them.`);
  }
  return { toolbox, notices };
}

function definitionsOf(file: string): Tool[] {
  const found = readDefinitions(readJsonFile(file).value);
  if (found.length === 0) throw new UsageError(`${file}: there are no tool definitions in it`);
  return found.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
}

/** Adds a tool; a faulty one is told with the file it came from. */
function add(toolbox: Toolbox, one: Tool, file: string): void {
  try {
    toolbox.add(one);
  } catch (error) {
    if (!(error instanceof ConfigurationValidationError)) throw error;
    throw new UsageError(`${file}: ${error.message}`);
  }
}
