import { textCache } from '../../json/text-cache.ts';
import { isObject } from '../../json/value.ts';
import { parseDefinitions } from '../../tools/parse-definitions.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';

/** Toolboxes by the text of their definitions, so that lines with the same tools share one. */
export class ToolboxCache {
  readonly #made = textCache<Toolbox | string>(64, 32 * 1024 * 1024);

  /** The toolbox of a list of definitions, or an error message. */
  get(text: string, tools: unknown): Toolbox | string {
    return this.#made(text, () => toolboxOf(tools));
  }
}

/** Creates a toolbox without validation, or returns an error message. */
function toolboxOf(tools: unknown): Toolbox | string {
  if (!Array.isArray(tools)) return "'tools' must be a list of tool definitions";
  const bad = tools.findIndex((tool) => !isObject(tool));
  if (bad >= 0) return `'tools[${bad}]' must be an object`;
  let stray: string | undefined;
  const found = parseDefinitions(tools, (at) => {
    stray ??= `'tools[${at.join('.')}]' is not a tool definition`;
  });
  const unnamed = found.find(({ definition }) => typeof definition.name !== 'string');
  if (unnamed) return `'tools[${unnamed.at.join('.')}].name' must be a string`;
  if (stray) return stray;
  const made = found.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
  return new Toolbox(made, { validate: false });
}
