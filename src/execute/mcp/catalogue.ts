import { createHash } from 'node:crypto';
import { ConfigurationValidationError, type Fault } from '../../tools/config-error.ts';
import { fitsPattern } from '../../tools/resolve-policy.ts';
import type { Tool } from '../../tools/tool.ts';
import { type McpOptions, type McpTool, toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { keysInOrder } from '../tool-fingerprint.ts';
import { messageOf } from '../tool-result.ts';

/** A definition as it was listed, and the tool made of it. */
export interface Listed {
  readonly definition: McpTool;
  readonly hash: string;
  readonly tool: Tool;
}

export interface CatalogueOptions {
  readonly prefix: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly acceptNew?: boolean | undefined;
  /** What was accepted before, where that outlives this process. */
  readonly pinned?: Pinned | undefined;
  /** Makes the tool of a definition, under the name that models write. */
  readonly make: (called: { readonly definition: McpTool; readonly name: string; readonly hash: string }) => Tool;
}

/** The hashes of what was accepted, kept somewhere. */
export interface Pinned {
  /** Whether anything of this server was ever accepted. */
  readonly begun: boolean;
  hashOf(name: string): string | undefined;
  pin(name: string, hash: string): void;
}

/**
 * What a server lists, beside what was accepted of it. What it lists first is accepted; from then on a definition that
 * changes, and a tool that appears, wait until somebody says yes, because a server may show one face and grow another.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #accepted = new Map<string, Listed>();
  #listed = new Map<string, Listed>();
  #refused: RefusedTool[] = [];
  #begun = false;

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** The tools that may be called, as they were accepted. */
  get tools(): Tool[] {
    return [...this.#accepted.values()].map(({ tool }) => tool);
  }

  get refused(): readonly RefusedTool[] {
    return this.#refused;
  }

  /** What the server lists now, accepted or not, by the name models write. */
  get listed(): ReadonlyMap<string, Listed> {
    return this.#listed;
  }

  /** Takes in what the server lists now; gives what it accepted of it by itself. */
  take(definitions: readonly McpTool[]): Tool[] {
    this.#read(definitions);
    const { pinned, acceptNew } = this.#options;
    const begun = this.#begun || pinned?.begun === true;
    this.#begun = true;
    const taken = [...this.#listed].filter(([name, { hash }]) => {
      const kept = pinned?.hashOf(name);
      if (kept !== undefined) return kept === hash && this.#accepted.get(name)?.hash !== hash;
      return !this.#accepted.has(name) && (!begun || acceptNew);
    });
    for (const [name, listed] of taken) {
      this.#accepted.set(name, listed);
      pinned?.pin(name, listed.hash);
    }
    return taken.map(([, { tool }]) => tool);
  }

  /** How what is listed differs from what was accepted. */
  changes(): McpChange[] {
    const changes: McpChange[] = [];
    for (const [name, { definition: before, hash }] of this.#accepted) {
      const now = this.#listed.get(name);
      if (!now) changes.push({ type: 'removed', name, before });
      else if (now.hash !== hash) {
        changes.push({ type: 'changed', name, before, after: now.definition, hash: now.hash });
      }
    }
    for (const [name, { definition: after, hash }] of this.#listed) {
      if (!this.#accepted.has(name)) changes.push({ type: 'added', name, after, hash });
    }
    return changes;
  }

  /** Accepts what is listed under a name now, and gives the tool made of it; with a hash, only that definition. */
  accept(name: string, hash?: string): Tool {
    const listed = this.#listed.get(name);
    if (!listed)
      throw new Error(`There is no tool ${name} to accept: the server does not list it, or it can't be used.`);
    if (hash !== undefined && listed.hash !== hash) {
      throw new Error(`The tool ${name} has changed again since that definition was seen. Look at it anew.`);
    }
    this.#accepted.set(name, listed);
    this.#options.pinned?.pin(name, listed.hash);
    return listed.tool;
  }

  /** Takes an acceptance back: the tool waits again. */
  withdraw(name: string): void {
    this.#accepted.delete(name);
  }

  /** How a tool stands that was made of the definition with this hash. */
  standing(name: string, hash: string): 'good' | 'removed' | 'changed' | 'unusable' | 'outdated' {
    const now = this.#listed.get(name);
    if (!now) return this.#refused.some((one) => one.name === name) ? 'unusable' : 'removed';
    const accepted = this.#accepted.get(name)?.hash;
    if (now.hash !== accepted) return 'changed';
    return accepted === hash ? 'good' : 'outdated';
  }

  #read(definitions: readonly McpTool[]): void {
    // A tool that was accepted comes first: a newcomer with a name like its own must not push it out.
    const known = (definition: McpTool): number => (this.#accepted.has(this.#nameOf(definition)) ? 0 : 1);
    const wanted = definitions.filter(({ name }) => this.#wants(name)).sort((a, b) => known(a) - known(b));
    const beside = new Toolbox();
    this.#listed = new Map();
    this.#refused = [];
    for (const definition of wanted) {
      const name = this.#nameOf(definition);
      try {
        if (name === 'invalid') throw reserved;
        const hash = definitionHash(definition);
        const before = this.#accepted.get(name);
        const tool = before?.hash === hash ? before.tool : this.#options.make({ definition, name, hash });
        beside.add(tool);
        this.#listed.set(name, { definition, hash, tool });
      } catch (error) {
        this.#refused.push({ name, faults: faultsOf(error) });
      }
    }
  }

  #nameOf = ({ name }: McpTool): string => `${this.#options.prefix}${name}`;

  #wants(name: string): boolean {
    const { include, exclude = [] } = this.#options;
    const fits = (pattern: string): boolean => fitsPattern(name, pattern);
    return (include === undefined || include.some(fits)) && !exclude.some(fits);
  }
}

/** Failed calls go to a tool of this name, with all that was written: a stranger's must not bear it. */
const reserved = new ConfigurationValidationError("'invalid' is the name of the tool that hears of failed calls", {
  ...{ configType: 'tool', field: 'name' },
  faults: [
    {
      field: 'name',
      message: "'invalid' is the name of the tool that hears of failed calls",
      fix: 'Give the tools of this server a prefix',
    },
  ],
});

function faultsOf(error: unknown): readonly Fault[] {
  if (ConfigurationValidationError.isInstance(error) && error.faults.length > 0) return error.faults;
  return [{ field: 'definition', message: `it can't be read: ${messageOf(error)}`, fix: 'Correct it at the server' }];
}

/**
 * A hash of all that a definition tells a model or a checker. Keys may come in any order; throws for one that is nested
 * too deep to be written down.
 */
function definitionHash(definition: McpTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(JSON.stringify(told, keysInOrder)).digest('hex');
}

/** How a server's tools differ from those that were accepted. `name` is the name models write. */
export type McpChange =
  | {
      readonly type: 'changed';
      readonly name: string;
      readonly before: McpTool;
      readonly after: McpTool;
      /** Stands for the new definition: give it to `accept` and nothing newer is accepted in its place. */
      readonly hash: string;
    }
  | { readonly type: 'added'; readonly name: string; readonly after: McpTool; readonly hash: string }
  | { readonly type: 'removed'; readonly name: string; readonly before: McpTool };

/** A tool that was listed and can't be offered, and why. */
export interface RefusedTool {
  readonly name: string;
  readonly faults: readonly Fault[];
}

/** Makes a tool of what a server lists; servers may leave the description out, and a toolbox asks for one. */
export function toolFromServer(
  definition: McpTool,
  { server, name = definition.name, ...options }: McpOptions & { readonly server: string; readonly name?: string },
): Tool {
  const title = definition.title ?? definition.annotations?.title;
  const description = definition.description?.trim() || title || `${definition.name}, a tool of ${server}`;
  return toolFromMcp({ ...definition, name, description }, { ...options, server });
}
