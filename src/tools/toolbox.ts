import { checkDefinition, definitionFaults, nameFaults } from './check/definition.ts';
import type { Fault } from './config-error.ts';
import { NameIndex } from './name-index.ts';
import { checkChoices, type Tool, type ToolboxPolicy } from './tool.ts';

/** What holds for every tool of a toolbox. */
export interface ToolboxOptions {
  /** What may be done with calls, with exceptions by name. */
  readonly policy?: ToolboxPolicy;
  /**
   * False takes definitions as they are, any text for a name, and turns faults into warnings.
   *
   * @default true
   */
  readonly validate?: boolean;
}

/** What to look for; a tool must fit everything that is said. */
export interface ToolSearch {
  readonly tag?: string;
  readonly category?: string;
  /** Looked for in names, titles, descriptions and tags, in any case. */
  readonly text?: string;
}

/**
 * Tools by name, checked when they are added.
 *
 * @example
 * const toolbox = new Toolbox([readFile, fetchPage]);
 * toolbox.get('read_file');
 */
export class Toolbox implements Iterable<Tool> {
  readonly policy: ToolboxPolicy;
  readonly validate: boolean;
  readonly #tools = new Map<string, Tool>();
  readonly #repeated = new Set<string>();
  readonly #warnings = new WeakMap<Tool, readonly Fault[]>();
  /** Finds tools by what a model may have written for their names. */
  readonly names = new NameIndex();

  constructor(tools: Iterable<Tool> = [], options: ToolboxOptions = {}) {
    this.policy = options.policy ?? {};
    this.validate = options.validate ?? true;
    for (const tool of tools) this.add(tool);
  }

  get size(): number {
    return this.#tools.size;
  }

  /** Adds a tool. Throws `ConfigurationValidationError` for a faulty one, or for a name too like another tool's. */
  add(tool: Tool): this {
    // Nothing can be found by a name that is no string, so this is checked in any case.
    if (this.validate || typeof tool.name !== 'string') checkDefinition(tool, this);
    else checkChoices(tool);
    const old = this.#tools.get(tool.name);
    if (old) {
      this.#repeated.add(tool.name);
      this.names.remove(old);
    }
    this.#tools.set(tool.name, tool);
    this.names.add(tool);
    return this;
  }

  /** The tool of exactly this name; `mend` also finds it under other spellings. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** All tools, in the order they were added. */
  list(): Tool[] {
    return [...this.#tools.values()];
  }

  /** The tools that fit everything asked for. */
  search({ tag, category, text }: ToolSearch): Tool[] {
    const wanted = text?.toLowerCase();
    return this.list().filter(({ name, description, metadata }) => {
      const { title = '', tags = [] } = metadata;
      if (tag !== undefined && !tags.includes(tag)) return false;
      if (category !== undefined && metadata.category !== category) return false;
      return wanted === undefined || [name, title, description, ...tags].join('\n').toLowerCase().includes(wanted);
    });
  }

  /** Takes a tool out; false where there was none of that name. */
  remove(name: string): boolean {
    const tool = this.#tools.get(name);
    if (!tool) return false;
    this.#tools.delete(name);
    this.#repeated.delete(name);
    this.names.remove(tool);
    return true;
  }

  /** What is wrong with a definition that was taken as given; worked out when it is asked for. */
  warnings(name: string): readonly Fault[] {
    const tool = this.#tools.get(name);
    if (!tool) return [];
    let faults = this.#warnings.get(tool);
    if (!faults) {
      faults = definitionFaults(tool);
      this.#warnings.set(tool, faults);
    }
    return [...faults, ...this.#likeOthers(tool)];
  }

  [Symbol.iterator](): Iterator<Tool> {
    return this.#tools.values();
  }

  #likeOthers({ name }: Tool): Fault[] {
    const faults: Fault[] = [];
    if (this.#repeated.has(name)) {
      faults.push({ field: 'name', message: 'it was defined twice; the last one counts', fix: 'Keep one' });
    }
    return [...faults, ...nameFaults(name, this.names)];
  }
}
