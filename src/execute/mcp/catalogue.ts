import { createHash } from 'node:crypto';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { ConfigurationValidationError, type Fault } from '../../tools/config-error.ts';
import { fitsPattern } from '../../tools/resolve-policy.ts';
import type { Tool } from '../../tools/tool.ts';
import { keysInOrder } from '../../tools/tool.ts';
import { type McpOptions, type McpTool, toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { messageOf } from '../tool-result.ts';

/** A listed definition, and its tool. */
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
  /** Definitions accepted earlier, if they are stored. */
  readonly pinned?: Pinned | undefined;
  /** Creates a tool from a definition, with its exposed name. */
  readonly make: (called: { readonly definition: McpTool; readonly name: string; readonly hash: string }) => Tool;
}

/** Stored hashes of accepted definitions. */
export interface Pinned {
  /** Whether any tool of this server was ever accepted. */
  readonly begun: boolean;
  hashOf(name: string): string | undefined;
  /** Stores accepted definitions. Without any, it stores that the server has been listed. */
  pin(all: readonly { readonly name: string; readonly hash: string; readonly definition: unknown }[]): void;
}

/**
 * The listed and the accepted tools of a server. The first list is accepted. After that, changed definitions and new
 * tools need approval, because a server can change its tools once it is trusted.
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

  /** The accepted tools. */
  get tools(): Tool[] {
    return [...this.#accepted.values()].map(({ tool }) => tool);
  }

  get refused(): readonly RefusedTool[] {
    return this.#refused;
  }

  /** The tools that are listed now, accepted or not, by exposed name. */
  get listed(): ReadonlyMap<string, Listed> {
    return this.#listed;
  }

  /** Updates the listed tools, and returns those that were accepted automatically. */
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
    for (const [name, listed] of taken) this.#accepted.set(name, listed);
    pinned?.pin(taken.map(([name, { hash, definition }]) => ({ name, hash, definition })));
    return taken.map(([, { tool }]) => tool);
  }

  /** Differences between the listed and the accepted tools. */
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

  /** Accepts a tool as it is listed now. With a hash, only that definition. */
  accept(name: string, hash?: string): Tool {
    const listed = this.#listed.get(name);
    if (!listed)
      throw new ToolmendError(
        'unknown_tool',
        `There is no tool ${name} to accept: the server does not list it, or its definition is invalid.`,
      );
    if (hash !== undefined && listed.hash !== hash) {
      throw new ToolmendError(
        'definition_changed',
        `The definition of ${name} has changed since ${hash}. Review the new one before you accept it.`,
      );
    }
    this.#accepted.set(name, listed);
    this.#options.pinned?.pin([{ name, hash: listed.hash, definition: listed.definition }]);
    return listed.tool;
  }

  /** Revokes the acceptance of a tool. */
  withdraw(name: string): void {
    this.#accepted.delete(name);
  }

  /** State of a tool with this definition. */
  standing(name: string, hash: string): 'good' | 'removed' | 'changed' | 'unusable' | 'outdated' {
    const now = this.#listed.get(name);
    if (!now) return this.#refused.some((one) => one.name === name) ? 'unusable' : 'removed';
    const accepted = this.#accepted.get(name)?.hash;
    if (now.hash !== accepted) return 'changed';
    return accepted === hash ? 'good' : 'outdated';
  }

  #read(definitions: readonly McpTool[]): void {
    // Accepted tools come first, so that a new tool with a similar name can't replace one.
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

/** The toolbox sends invalid calls to a tool with this name, so a server must not provide it. */
const reserved = new ConfigurationValidationError("'invalid' is reserved for the tool that receives invalid calls", {
  configType: 'tool',
  field: 'name',
  faults: [
    {
      field: 'name',
      message: "'invalid' is reserved for the tool that receives invalid calls",
      fix: 'Give the tools of this server a prefix',
    },
  ],
});

function faultsOf(error: unknown): readonly Fault[] {
  if (ConfigurationValidationError.isInstance(error) && error.faults.length > 0) return error.faults;
  return [{ field: 'definition', message: `it can't be read: ${messageOf(error)}`, fix: 'Correct it at the server' }];
}

/**
 * Hash of a definition with every field, because all of them are passed on. Independent of key order. Throws for a
 * definition that is nested too deeply.
 */
export const definitionHash = (definition: unknown): string =>
  createHash('sha256').update(JSON.stringify(definition, keysInOrder)).digest('hex');

/** A difference between the listed and the accepted tools. `name` is the exposed name. */
export type McpChange =
  | {
      readonly type: 'changed';
      readonly name: string;
      readonly before: McpTool;
      readonly after: McpTool;
      /** Hash of the new definition. Pass it to `accept` to accept exactly this one. */
      readonly hash: string;
    }
  | { readonly type: 'added'; readonly name: string; readonly after: McpTool; readonly hash: string }
  | { readonly type: 'removed'; readonly name: string; readonly before: McpTool };

/** A listed tool that can't be used, and why. */
export interface RefusedTool {
  readonly name: string;
  readonly faults: readonly Fault[];
}

/** Creates a tool from a server's definition, with a default description, which toolboxes require. */
export function toolFromServer(
  definition: McpTool,
  { server, name = definition.name, ...options }: McpOptions & { readonly server: string; readonly name?: string },
): Tool {
  const title = definition.title ?? definition.annotations?.title;
  const description = definition.description?.trim() || title || `${definition.name}, a tool of ${server}`;
  return toolFromMcp({ ...definition, name, description }, { ...options, server });
}
