/** Tools: their definition, their types and their defaults. Independent of providers. */

import type { Limits } from '../json/limits.ts';
import type { Certainty } from '../json/repair.ts';
import { checkArgument, checkNames, isObject } from '../json/value.ts';
import type { InferInput, InferOutput } from '../schema/infer.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import type { JsonSchema, SchemaObject } from '../schema/types.ts';
import { type Fault, fault, throwFaults } from './config-error.ts';

/**
 * What a tool does to the outside world.
 * @default 'write'
 */
export type Effect = 'read' | 'write' | 'destructive';
/**
 * Whether a tool can safely run again after a run whose outcome is unknown.
 * @default 'once'
 */
export type Repeat = 'once' | 'idempotent';

/** A tool that a model can call. */
export interface Tool<In = unknown, out Out = unknown, out Name extends string = string, out S = unknown> {
  /** The name that models use. */
  readonly name: Name;
  /** What it does and when to use it. */
  readonly description: string;
  /** The schema as defined: Zod, Standard Schema, JSON Schema or none. */
  readonly inputSchema: S;
  /** Schema of the result. Results from outside are checked against it. */
  readonly outputSchema?: unknown;
  /** The same schema with a common interface, created on first use. */
  readonly schema: Schema;
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** Whether the definition sets `once` explicitly. */
  readonly saysOnce: boolean;
  /** The lowest certainty of repairs to accept. Destructive tools only accept lossless repairs by default. */
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly policy?: Policy;
  readonly metadata: ToolMetadata;
  /** The MCP server of the tool. A model may write `server.name`. */
  readonly server?: string;
  /** Timeout of a call in milliseconds. */
  readonly timeout?: number;
  /** Time to wait for a result from outside, in milliseconds. */
  readonly resultTimeout?: number;
  /** Whether identical calls with identical results are normal, as for a tool that polls. */
  readonly repeatable?: boolean;
  /** Whether a successful call ends the run, with the result as its text. */
  readonly endsRun?: boolean;
  /** Runs the tool, if a function isn't enough. */
  readonly executor?: ToolExecutor;
  /**
   * What a call writes to, such as a file path. Calls with the same target run in order.
   * @default the tool itself
   */
  target?(input: In): string | undefined;
  /** A method instead of a function property, so that a tool with any input type fits into a toolbox. */
  execute?(input: In, context: ToolContext): Out | Promise<Out>;
}

/** The definition of a tool. Only the name, the description and usually the input schema are needed. */
export interface ToolDefinition<S = unknown, Out = unknown, Name extends string = string> {
  readonly name: Name;
  readonly description: string;
  /** Schema of the arguments: Zod, another Standard Schema, JSON Schema, or none. */
  readonly inputSchema?: S;
  /** Schema of the result, in the same forms. Results from outside are checked against it. */
  readonly outputSchema?: unknown;
  readonly effect?: Effect;
  readonly repeat?: Repeat;
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly policy?: Policy;
  readonly metadata?: ToolMetadata;
  readonly server?: string;
  readonly timeout?: number;
  /**
   * Time to wait for a result from outside, in milliseconds. The call fails after it.
   * @default no limit
   */
  readonly resultTimeout?: number;
  /**
   * Whether identical calls with identical results are normal, as for a tool that polls.
   * @default false
   */
  readonly repeatable?: boolean;
  /**
   * Whether a successful call ends the run, with the result as its text.
   * @default false
   */
  readonly endsRun?: boolean;
  readonly executor?: ToolExecutor;
  readonly target?: (input: InferOutput<S>) => string | undefined;
  /**
   * The implementation. It gets the validator's output, with defaults and transforms applied. Without it, the run waits
   * for a result from outside.
   */
  readonly execute?: (input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Creates a tool, with `execute` typed from its schema. The schema is compiled at the first call, and a toolbox
 * validates the definition.
 *
 * @throws ConfigurationValidationError if `effect`, `repeat` or `minCertainty` is invalid
 * @throws ToolmendError `invalid_option` if the definition has an unknown field
 *
 * @example
 * const readFile = tool({
 *   name: 'read_file',
 *   description: 'Reads a file',
 *   inputSchema: z.object({ path: z.string() }),
 *   effect: 'read',
 *   execute: ({ path }) => files.get(path),
 * });
 */
export function tool<const S = undefined, Out = unknown, const Name extends string = string>(
  definition: ToolDefinition<S, Out, Name>,
): Tool<InferOutput<S>, Out, Name, S> {
  checkIsDefinition(definition);
  checkNames(definition, definitionFields, 'field of tool()');
  checkChoices(definition);
  return makeTool(definition);
}

/** The fields of a definition, and those of a tool that is copied into another one. */
const definitionFields = [
  'name',
  'description',
  'inputSchema',
  'outputSchema',
  'effect',
  'repeat',
  'minCertainty',
  'policy',
  'metadata',
  'server',
  'timeout',
  'resultTimeout',
  'repeatable',
  'endsRun',
  'executor',
  'target',
  'execute',
  'schema',
  'saysOnce',
] as const;

export const checkIsDefinition = (value: unknown): void =>
  checkArgument(isObject(value), 'tool definition', '{ name, description, inputSchema }', value);

/** Throws if the effect, repeat or minCertainty of a definition is invalid. */
export function checkChoices({ name, ...definition }: Pick<Tool, 'name'> & Parameters<typeof choiceFaults>[0]): void {
  const faults = choiceFaults(definition);
  if (faults.length > 0) throwFaults(`Tool '${name}' can't be created`, faults);
}

/** Creates a tool without checks. Adding it to a toolbox reports its faults. */
export function makeTool<const S = undefined, Out = unknown, const Name extends string = string>(
  definition: ToolDefinition<S, Out, Name>,
): Tool<InferOutput<S>, Out, Name, S> {
  const { inputSchema: input, effect = 'write', repeat = 'once', metadata = {}, ...rest } = definition;
  let schema: Schema | undefined;
  return {
    ...rest,
    inputSchema: input as S,
    effect,
    repeat,
    saysOnce: definition.repeat === 'once',
    metadata,
    get schema() {
      schema ??= schemaOf(input);
      return schema;
    },
  };
}

/** A property of a tool's input. */
export type ToolProperty = SchemaObject;

/** An example call. Its input is validated when the tool is added. */
export interface ToolExample {
  readonly input: unknown;
  readonly output?: unknown;
  readonly description?: string;
}

/** Metadata for people and catalogues. It doesn't affect calls. */
export interface ToolMetadata {
  /** A display name. */
  readonly title?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly documentationUrl?: string;
  readonly examples?: readonly ToolExample[];
  /** Any other data about the tool. */
  readonly customFields?: Readonly<Record<string, unknown>>;
}

/** Progress of a running tool. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Resources shared by the calls of a run: a session, a connection, a sandbox. */
export interface ToolScope {
  /** Returns the resource for `key`. Opens it on first use, and closes it with the run. */
  use<T>(key: object, open: () => T | Promise<T>, close?: (thing: T) => unknown): Promise<T>;
}

/** Tokens that a call used. */
export interface CallUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly cacheWritten?: number;
  readonly reasoning?: number;
}

/**
 * What a tool gets besides its input. Name the type of your runs' context to read it: `ToolContext<{ tenant: string }>`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a tool may name any type, because the agent decides what it is.
export interface ToolContext<Context = any> {
  /** Aborts when the caller stops or the timeout expires. Pass it on to slow operations. */
  readonly signal: AbortSignal;
  /** The provider's id of the call, if there is one. */
  readonly callId?: string | undefined;
  /** Id of the run, if the call belongs to one. */
  readonly run?: string | undefined;
  /** Number of runs above this one, if it is a child run. */
  readonly depth?: number | undefined;
  /** The policy that the run was resumed with, which also applies to its child runs. */
  readonly resumePolicy?: 'same' | 'compatible' | 'any' | undefined;
  /** The context of the run: what was passed when it started, in every process that continues it. */
  readonly context?: Context | undefined;
  /** Idempotency key: the same each time the call runs. */
  readonly key?: string | undefined;
  readonly scope: ToolScope;
  /** A signed URL that accepts the result of this call once, if the agent has `resultUrls`. */
  readonly resultUrl?: string | undefined;
  /**
   * Set if the tool has completed calls in this run before: its last snapshot, if there is one. A tool whose resource is
   * no longer open restores it from there, or tells the model that it is new.
   */
  readonly earlier?: { readonly snapshot?: unknown } | undefined;
  /** Stores the state of the tool with the result of this call, as JSON. */
  readonly saveSnapshot?: ((snapshot: unknown) => void) | undefined;
  /** Adds what the call used of a model, such as that of another agent, to the usage and the cost of the run. */
  readonly addUsage?: ((usage: CallUsage, cost?: number) => void) | undefined;
  /** Runs a call again that returned `pending()`, in this process. */
  readonly again?: (() => Promise<void>) | undefined;
  /** Reports progress to observers. The model doesn't see it. */
  readonly progress: (progress: Progress) => void;
  /** Adds a sentence to the result's `note`, which the model reads. */
  readonly note: (text: string) => void;
}

const never = new AbortController().signal;
const nobody = () => {};

/** Without a scope, each call opens its own resource. */
const noScope: ToolScope = { use: async (_, open) => open() };

/** Creates a context for calling `execute` directly. By default nothing aborts it, and progress is ignored. */
export const toolContext = (given: Partial<ToolContext> = {}): ToolContext => {
  const { signal = never, scope = noScope, progress = nobody, note = nobody } = given;
  // A spread in front takes a fraction of the time of one at the end.
  return { ...given, signal, scope, progress, note };
};

/** Runs a tool that needs settings: over HTTP, with an MCP server, or with state. */
export interface ToolExecutor {
  /** `stateful`, `rest`, `mcp` */
  readonly kind: string;
  /** Validates its settings when the tool is added. */
  check?(): readonly Fault[];
  execute(input: unknown, context: ToolContext): unknown;
  /**
   * Called when a run stops waiting for the result, with the key of `pending()`, or the id of the child run. The run
   * waits for it, but not for long.
   */
  cancel?(key: string, reason: string): unknown;
  /** Id of the child run that the call with this idempotency key starts. */
  childOf?(key: string): string;
  /** Throws if the agent of a child run must not continue it, because it has changed. */
  checkChild?(child: string, policy: 'same' | 'compatible' | 'any'): Promise<void>;
}

/** What may be done with a call. Of the policies of the toolbox, the tool and the call, the stricter one applies. */
export interface Policy {
  /** False skips validation and coercion; the arguments are still parsed. */
  readonly check?: boolean;
  /**
   * The lowest certainty of repairs to apply.
   * @default 'inferred'; 'lossless' for destructive tools
   */
  readonly minCertainty?: Exclude<Certainty, 'guess'>;
  /** Limits for the arguments. The lowest of several applies. */
  readonly limits?: Partial<Limits>;
}

/** A toolbox's policy, with exceptions by name; `*` matches any text (`mcp__*`). */
export interface ToolboxPolicy extends Policy {
  /** Policies by name or pattern. A full name has precedence over patterns. */
  readonly tools?: Readonly<Record<string, Policy>>;
}

/** The mended JSON that a tool's call has. */
export type ToolInput<T extends Tool> = T extends Tool<never, unknown, string, infer S> ? InferInput<S> : unknown;

/** What a tool gets: the output of its validator. */
export type ToolValue<T extends Tool> = T extends Tool<infer In, unknown, string, unknown> ? In : unknown;

const choices = {
  effect: ['read', 'write', 'destructive'],
  repeat: ['once', 'idempotent'],
  minCertainty: ['lossless', 'inferred'],
} as const;

/** Finds invalid options: `effect: 'delete'` must not count as a plain write. */
export const choiceFaults = (definition: { readonly [field in keyof typeof choices]?: unknown }): Fault[] =>
  (Object.keys(choices) as (keyof typeof choices)[]).flatMap((field) => {
    const { [field]: value } = definition;
    const allowed: readonly unknown[] = choices[field];
    if (value === undefined || allowed.includes(value)) return [];
    return [fault(field, `${field} is ${JSON.stringify(value)}`, `Use one of: ${allowed.join(', ')}`)];
  });

/** A tool as sent to a model: name, description and JSON Schema. */
interface Spec {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly schema?: JsonSchema;
}

/** The specification of a tool for a model. */
export function specOf(tool: Tool): Spec {
  checkArgument(isObject(tool?.schema), 'tool', 'a tool made by tool()', tool);
  const {
    name,
    description,
    schema: { json: schema },
  } = tool;
  return {
    type: 'function',
    name,
    ...(description !== '' && { description }),
    ...(schema !== undefined && { schema }),
  };
}

/**
 * Creates a tool from a definition in a request. Its effect is unknown, so it counts as a write that must not be
 * repeated. Add it to a toolbox with `validate: false`.
 */
export function toolFromSpec(spec: Spec): Tool {
  checkArgument(isObject(spec), 'spec', '{ name, description, schema }', spec);
  const { name, description = '', schema } = spec;
  return tool({ name, description, ...(schema !== undefined && { inputSchema: schema as unknown }) });
}

/** Hash of what a person approves besides the arguments: a tool's name, description, schema, effect and MCP server. */
export function toolFingerprint(tool: Tool): string {
  const { name, description, schema, effect, server } = tool;
  const approved = [name, description, schema.json, effect, ...(server === undefined ? [] : [server])];
  const written = JSON.stringify(approved);
  const known = fingerprints.get(tool);
  if (known?.written === written) return known.fingerprint;
  const text = JSON.stringify(approved, keysInOrder);
  // Adapters also run without Node, where the text itself is compared.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const fingerprint = crypto ? crypto.createHash('sha256').update(text).digest('hex') : text;
  fingerprints.set(tool, { written, fingerprint });
  return fingerprint;
}

/** The last fingerprint of each tool, with what it was made of: each run needs it, and sorting keys takes long. */
const fingerprints = new WeakMap<Tool, { readonly written: string; readonly fingerprint: string }>();

/** Replacer for `JSON.stringify` that sorts keys, because servers may reorder an unchanged schema. */
export const keysInOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : value;
