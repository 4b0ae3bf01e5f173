import { cached } from '../json/text-cache.ts';
import { checkArgument, checkNames, isObject } from '../json/value.ts';
import { checkDefinition, definitionFaults, nameFaults } from './check/definition.ts';
import type { Fault } from './config-error.ts';
import { NameIndex } from './name-index.ts';
import { checkPolicy } from './resolve-policy.ts';
import { checkChoices, checkIsDefinition, type Tool, type ToolboxPolicy } from './tool.ts';

/** Options of a toolbox. */
export interface ToolboxOptions {
  /** Policy for calls, with exceptions by name. */
  readonly policy?: ToolboxPolicy;
  /**
   * False accepts any definition and any text as a name, and turns faults into warnings.
   *
   * @default true
   */
  readonly validate?: boolean;
}

/** Search criteria; all must match. */
export interface ToolSearch {
  readonly tag?: string;
  readonly category?: string;
  /** Text in names, titles, descriptions or tags, in any case. */
  readonly text?: string;
}

/**
 * Tools by name, checked when they are added. `T` is the union of their types, so that checking the name of an
 * outcome narrows the types of its `input` and `value`.
 *
 * @example
 * const toolbox = new Toolbox([readFile, fetchPage]);
 * toolbox.get('read_file');
 */
export class Toolbox<out T extends Tool = Tool> implements Iterable<T> {
  readonly policy: ToolboxPolicy;
  readonly validate: boolean;
  readonly #tools = new Map<string, T>();
  readonly #repeated = new Set<string>();
  readonly #warnings = new WeakMap<Tool, readonly Fault[]>();
  /** Finds tools by what a model may have written. */
  readonly names = new NameIndex();

  constructor(tools: Iterable<T> = [], options: ToolboxOptions = {}) {
    checkArgument(Symbol.iterator in Object(tools), 'tools', 'a list of tools', tools);
    checkNames(options, ['policy', 'validate'], 'option of Toolbox');
    checkPolicy(options.policy, ['tools']);
    this.policy = options.policy ?? {};
    this.validate = options.validate ?? true;
    for (const tool of tools) this.add(tool);
  }

  get size(): number {
    return this.#tools.size;
  }

  /** Adds a tool. Throws `ConfigurationValidationError` if it is invalid, or if its name is too similar to another. */
  add<More extends Tool>(tool: More): Toolbox<T | More> {
    checkIsDefinition(tool);
    checkArgument('schema' in tool, `tool '${tool.name}'`, 'the result of tool() or toolFromMcp()', tool);
    checkPolicy(tool.policy);
    // Checked in any case, because a tool can't be found by a name that isn't a string.
    if (this.validate || typeof tool.name !== 'string') checkDefinition(tool, this);
    else checkChoices(tool);
    const old = this.#tools.get(tool.name);
    if (old) {
      this.#repeated.add(tool.name);
      this.names.remove(old);
    }
    this.#tools.set(tool.name, tool as Tool as T);
    this.names.add(tool);
    return this;
  }

  /** The tool with exactly this name. `mend` also finds it by other spellings. */
  get(name: string): T | undefined {
    return this.#tools.get(name);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** All tools, in the order they were added. */
  list(): T[] {
    return [...this.#tools.values()];
  }

  /** The tools that match all criteria. */
  search({ tag, category, text }: ToolSearch): T[] {
    const wanted = text?.toLowerCase();
    return this.list().filter(({ name, description, metadata }) => {
      const { title = '', tags = [] } = metadata;
      if (tag !== undefined && !tags.includes(tag)) return false;
      if (category !== undefined && metadata.category !== category) return false;
      return wanted === undefined || [name, title, description, ...tags].join('\n').toLowerCase().includes(wanted);
    });
  }

  /** Removes a tool. Returns false if there is none. */
  remove(name: string): boolean {
    const tool = this.#tools.get(name);
    if (!tool) return false;
    this.#tools.delete(name);
    this.#repeated.delete(name);
    this.names.remove(tool);
    return true;
  }

  /** Faults of a definition that was added without validation; computed on first use. */
  warnings(name: string): readonly Fault[] {
    const tool = this.#tools.get(name);
    if (!tool) return [];
    const faults = cached(this.#warnings, tool, () => definitionFaults(tool));
    return [...faults, ...this.#likeOthers(tool)];
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#tools.values();
  }

  #likeOthers({ name }: Tool): Fault[] {
    const faults: Fault[] = [];
    if (this.#repeated.has(name)) {
      faults.push({ field: 'name', message: 'it was defined twice; the last definition is used', fix: 'Keep one' });
    }
    return [...faults, ...nameFaults(name, this.names)];
  }
}

/** The toolbox of a list of tools; a toolbox as it is. */
export function toolboxOf<T extends Tool>(tools: Toolbox<T> | readonly T[]): Toolbox<T> {
  if (Array.isArray(tools)) return new Toolbox(tools);
  checkIsToolbox(tools);
  return tools as Toolbox<T>;
}

/** Throws unless a value is a toolbox. */
export const checkIsToolbox = (value: unknown): void =>
  checkArgument(
    isObject((value as Partial<Toolbox> | undefined)?.names),
    'toolbox',
    'a Toolbox or a list of tools',
    value,
  );

/** The tools to offer to a model: all except `invalid`, which receives failed calls. */
export const offeredTools = <T extends Tool>(toolbox: Iterable<T>): T[] =>
  [...toolbox].filter(({ name }) => name !== 'invalid');
