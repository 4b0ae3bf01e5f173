import { Toolbox, toolFromMcp } from '../../src/index.ts';
import { parseDefinitions } from '../../src/tools/parse-definitions.ts';

/** The parsed tools, or the error. */
export type TypedTools =
  | { readonly type: 'tools'; readonly toolbox: Toolbox }
  | { readonly type: 'faulty'; readonly message: string };

/** Parses tool definitions in the format of MCP, OpenAI, Anthropic or Gemini. */
export function readTools(text: string): TypedTools {
  try {
    const found = parseDefinitions(JSON.parse(text));
    const tools = found.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
    if (tools.length === 0) return { type: 'faulty', message: 'It contains no tool definition.' };
    return { type: 'tools', toolbox: new Toolbox(tools, { validate: false }) };
  } catch (error) {
    return { type: 'faulty', message: error instanceof Error ? error.message : String(error) };
  }
}
