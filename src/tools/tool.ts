/**
 * Tools, the toolbox and the checks of definitions. This room knows nothing of providers; it may import `json/` and
 * `schema/`.
 */

import type { Limits } from '../json/limits.ts';
import type { Certainty } from '../json/repair.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import type { JsonSchema, SchemaObject } from '../schema/types.ts';
import { type Fault, throwFaults } from './config-error.ts';

/** What running a tool does to the world; `write` unless it is said. */
export type Effect = 'read' | 'write' | 'destructive';
/** Whether a run that may have happened may happen again; `once` unless it is said. */
export type Repeat = 'once' | 'idempotent';

/** Something a model may call. */
export interface Tool<In = unknown, Out = unknown> {
  /** What a model writes to call it. */
  readonly name: string;
  /** What it does and when to use it; models choose by it. */
  readonly description: string;
  /** The schema as it was given: Zod, Standard Schema, JSON Schema or none. */
  readonly inputSchema: unknown;
  /** The same schema behind one face; made when it is first asked for. */
  readonly schema: Schema;
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** The definition itself says `once`, where it is otherwise the default. */
  readonly saysOnce: boolean;
  /** The least certain repair this tool takes; a destructive tool takes lossless ones only unless it says more. */
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly policy?: Policy;
  readonly metadata: ToolMetadata;
  /** The MCP server it belongs to: a model may write `server.name`. */
  readonly server?: string;
  /** How long one run may take, in milliseconds; what runs it has a default. */
  readonly timeout?: number;
  /** Where its settings are more than a function. */
  readonly executor?: ToolExecutor;
  /** What a call writes to, a file's path say: calls with the same target run in order. Default: the tool itself. */
  target?(input: In): string | undefined;
  /** A method and not a function property, so that a tool of one input type fits a toolbox of any. */
  execute?(input: In, context: ToolContext): Out | Promise<Out>;
}

/** What `tool()` takes. Only the name, the description and usually the input need to be said. */
export interface ToolDefinition<S = unknown, Out = unknown> {
  readonly name: string;
  readonly description: string;
  /** The schema of its arguments: Zod, another Standard Schema, JSON Schema, or none. */
  readonly inputSchema?: S;
  readonly effect?: Effect;
  readonly repeat?: Repeat;
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly policy?: Policy;
  readonly metadata?: ToolMetadata;
  readonly server?: string;
  readonly timeout?: number;
  readonly executor?: ToolExecutor;
  readonly target?: (input: InferOutput<S>) => string | undefined;
  /** The work; it gets the validator's output, with defaults and transforms applied. */
  readonly execute?: (input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Makes a tool, with `execute` typed from its schema. Nothing is compiled here, and a toolbox checks what is added to it;
 * the schema is compiled at the first call.
 *
 * @throws ConfigurationValidationError where `effect`, `repeat` or `minCertainty` is a word that does not exist.
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
export function tool<const S = undefined, Out = unknown>(
  definition: ToolDefinition<S, Out>,
): Tool<InferOutput<S>, Out> {
  checkChoices(definition);
  return makeTool(definition);
}

/** Throws where a definition's effect, repeat or minCertainty is no word that exists. */
export function checkChoices({ name, ...definition }: Pick<Tool, 'name'> & Parameters<typeof choiceFaults>[0]): void {
  throwFaults(`Tool '${name}' can't be made`, choiceFaults(definition));
}

/** Makes a tool of a definition as it is; whoever adds it to a toolbox learns of its faults. */
export function makeTool<const S = undefined, Out = unknown>(
  definition: ToolDefinition<S, Out>,
): Tool<InferOutput<S>, Out> {
  const { inputSchema: input, effect = 'write', repeat = 'once', metadata = {}, ...rest } = definition;
  let schema: Schema | undefined;
  return {
    ...rest,
    inputSchema: input,
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

/** One property of a tool's input, with the whole JSON Schema vocabulary to describe it. */
export type ToolProperty = SchemaObject;

/** A call that a model may learn from; its input is checked against the tool's schema when the tool is added. */
interface ToolExample {
  readonly input: unknown;
  readonly output?: unknown;
  readonly description?: string;
}

/** What people and catalogues want to know of a tool; none of it changes how a call is judged. */
export interface ToolMetadata {
  /** A name for people, where it differs from the name that models write. */
  readonly title?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly documentationUrl?: string;
  readonly examples?: readonly ToolExample[];
  /** Whatever else belongs to the tool; it is kept as it is. */
  readonly customFields?: Readonly<Record<string, unknown>>;
}

/** How far a running tool has come. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** What lives as long as a run and is shared by its calls: a session, a connection, a sandbox. */
export interface ToolScope {
  /** The thing kept under `key`, made by `open` when it is first asked for and closed with the run. */
  use<T>(key: object, open: () => T | Promise<T>, close?: (thing: T) => unknown): Promise<T>;
}

/** What a tool gets beside its input. */
export interface ToolContext {
  /** Aborted when the caller leaves or the deadline passes; pass it on to whatever takes long. */
  readonly signal: AbortSignal;
  /** The id the provider gave the call, where it gave one. */
  readonly callId?: string | undefined;
  /** The same for every run of one call, so that a service can tell a repetition from a second wish. */
  readonly key?: string | undefined;
  readonly scope: ToolScope;
  /** Tells whoever watches how far the work has come; the model does not see it. */
  readonly progress: (progress: Progress) => void;
  /** Adds a sentence to the result's `note`, which the model reads beside the output. */
  readonly note: (text: string) => void;
}

const never = new AbortController().signal;
const nobody = () => {};

/** Nothing is kept: each call opens its own. */
const noScope: ToolScope = { use: async (_, open) => open() };

/** A context for calling `execute` by hand: nothing aborts it and nobody listens, unless `given` says so. */
export const toolContext = (given: Partial<ToolContext> = {}): ToolContext => ({
  signal: never,
  scope: noScope,
  progress: nobody,
  note: nobody,
  ...given,
});

/** A way to run a tool that needs settings: over HTTP, by an MCP server, on an instance that lives as long as the run. */
export interface ToolExecutor {
  /** `stateful`, `rest`, `mcp` */
  readonly kind: string;
  /** What is wrong with its settings; asked when the tool is added. */
  check?(): readonly Fault[];
  execute(input: unknown, context: ToolContext): unknown;
}

/** What may be done with a call. Of the policies of the toolbox, the tool and the call, the stricter always wins. */
export interface Policy {
  /** False leaves the arguments unchecked and uncoerced; they are still read. */
  readonly check?: boolean;
  /** The least certain repair that is applied. Default `inferred`; `lossless` for destructive tools. */
  readonly minCertainty?: Exclude<Certainty, 'guess'>;
  /** How much the arguments may hold; of several limits the lowest counts, of none the default. */
  readonly limits?: Partial<Limits>;
}

/** A toolbox's policy, with exceptions by name; `*` stands for any text (`mcp__*`). */
export interface ToolboxPolicy extends Policy {
  /** Policies by name or pattern; a full name goes before every pattern. */
  readonly tools?: Readonly<Record<string, Policy>>;
}

/** What `execute` gets for a schema: the validator's output type, or what a constant JSON Schema describes. */
export type InferOutput<S> = S extends { readonly '~standard': infer Standard }
  ? StandardOutput<Standard>
  : S extends { readonly _output: infer Out }
    ? Out
    : S extends object
      ? FromJsonSchema<S>
      : unknown;

type StandardOutput<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly output: infer Out }
    ? Out
    : unknown
  : unknown;

/**
 * The type a JSON Schema written as a constant describes: objects, lists, enums, constants, unions and plain types.
 * Words beyond that (`$ref`, `allOf`, `not`) give `unknown`, so that a type never promises more than the check.
 */
type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : S extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromJsonSchema<Branch>
      : S extends { readonly oneOf: readonly (infer Branch)[] }
        ? FromJsonSchema<Branch>
        : S extends { readonly type: infer Type }
          ? FromType<S, Type extends readonly (infer One)[] ? One : Type>
          : unknown;

type FromType<S, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ItemsOf<S>
          : Type extends 'object'
            ? ObjectOf<S>
            : unknown;

type ItemsOf<S> = S extends { readonly prefixItems: readonly unknown[] }
  ? unknown[]
  : S extends { readonly items: readonly unknown[] }
    ? unknown[]
    : S extends { readonly items: infer Items }
      ? FromJsonSchema<Items>[]
      : unknown[];

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & RequiredOf<S>]: FromJsonSchema<Properties[Key]> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredOf<S>>]?: FromJsonSchema<Properties[Key]>;
      }
    >
  : Record<string, unknown>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Flat<T> = { [Key in keyof T]: T[Key] };

const choices = {
  effect: ['read', 'write', 'destructive'],
  repeat: ['once', 'idempotent'],
  minCertainty: ['lossless', 'inferred'],
} as const;

/** Words of a definition that are none of those that exist: `effect: 'delete'` must not pass for a plain write. */
export function choiceFaults(definition: { readonly [field in keyof typeof choices]?: unknown }): Fault[] {
  return (Object.keys(choices) as (keyof typeof choices)[]).flatMap((field) => {
    const { [field]: value } = definition;
    const allowed: readonly unknown[] = choices[field];
    if (value === undefined || allowed.includes(value)) return [];
    return [{ field, message: `${field} is ${JSON.stringify(value)}`, fix: `Use one of: ${allowed.join(', ')}` }];
  });
}

/** A tool as it is shown to a model: its name, its description and the JSON Schema of its input. */
interface Spec {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly schema?: JsonSchema;
}

/** The specification that a model reads of a tool. */
export function specOf({ name, description, schema: { json: schema } }: Tool): Spec {
  return {
    type: 'function',
    name,
    ...(description !== '' && { description }),
    ...(schema !== undefined && { schema }),
  };
}

/**
 * The tool of a definition that came in a request. Nothing is known of its effect, so that it counts as a write that must not
 * be repeated; add it to a toolbox with `validate: false`.
 */
export const toolFromSpec = ({ name, description = '', schema }: Spec): Tool =>
  tool({ name, description, ...(schema !== undefined && { inputSchema: schema as unknown }) });
