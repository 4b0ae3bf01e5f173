import { isObject } from '../../json/value.ts';
import { parseDefinitions } from '../../tools/parse-definitions.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';

const most = 64;
const mostText = 32 * 1024 * 1024;

/** Toolboxes by the text of their definitions, so that lines with the same tools share one. The oldest go first. */
export class ToolboxCache {
  readonly #kept = new Map<string, Toolbox>();
  #size = 0;

  /** The toolbox of a list of definitions; a string says why there is none. */
  get(text: string, tools: unknown): Toolbox | string {
    const known = this.#kept.get(text);
    if (known) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    const made = toolboxOf(tools);
    if (typeof made !== 'string') this.#keep(text, made);
    return made;
  }

  #keep(text: string, toolbox: Toolbox): void {
    this.#kept.set(text, toolbox);
    this.#size += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most && this.#size <= mostText) break;
      this.#kept.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}

/** A toolbox of definitions taken as they are; a string says why that can't be done. */
function toolboxOf(tools: unknown): Toolbox | string {
  if (!Array.isArray(tools)) return "'tools' must be a list of tool definitions";
  const bad = tools.findIndex((tool) => !isObject(tool));
  if (bad >= 0) return `'tools[${bad}]' must be an object`;
  let stray: string | undefined;
  const found = parseDefinitions(tools, (at) => {
    stray ??= `'tools[${at.join('.')}]' is not a tool definition`;
  });
  const unnamed = found.find(({ definition }) => typeof definition.name !== 'string');
  if (unnamed) return `'tools[${unnamed.at.join('.')}].name' must be text`;
  if (stray) return stray;
  const made = found.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
  return new Toolbox(made, { validate: false });
}
