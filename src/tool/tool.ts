/**
 * Tools, the toolbox and the checks of definitions. This room knows nothing of providers; it may import `json/` and
 * `schema/`.
 */
import { type Schema, schemaOf } from '../schema/schema.ts';
import { choiceFaults } from './choice-faults.ts';
import { ConfigurationValidationError } from './configuration-validation-error.ts';
import type { InferOutput } from './infer-input.ts';
import type { ToolMetadata } from './metadata.ts';
import type { Policy } from './policy.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolExecutor } from './tool-executor.ts';

export type { FromJsonSchema, InferOutput } from './infer-input.ts';
export type { ToolExample, ToolMetadata, ToolProperty } from './metadata.ts';
export type { Progress, ToolContext, ToolScope } from './tool-context.ts';
export type { ToolExecutor } from './tool-executor.ts';

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
  readonly input: unknown;
  /** The same schema behind one face; made when it is first asked for. */
  readonly schema: Schema;
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** The definition itself says `once`, where it is otherwise the default. */
  readonly saysOnce: boolean;
  /** The least certain repair this tool takes; a destructive tool takes lossless ones only unless it says more. */
  readonly accept?: 'lossless' | 'inferred';
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
  run?(input: In, context: ToolContext): Out | Promise<Out>;
}

/** What `tool()` takes. Only the name, the description and usually the input need to be said. */
export interface ToolDefinition<S = unknown, Out = unknown> {
  readonly name: string;
  readonly description: string;
  /** The schema of its arguments: Zod, another Standard Schema, JSON Schema, or none. */
  readonly input?: S;
  readonly effect?: Effect;
  readonly repeat?: Repeat;
  readonly accept?: 'lossless' | 'inferred';
  readonly policy?: Policy;
  readonly metadata?: ToolMetadata;
  readonly server?: string;
  readonly timeout?: number;
  readonly executor?: ToolExecutor;
  readonly target?: (input: InferOutput<S>) => string | undefined;
  /** The work; it gets the validator's output, with defaults and transforms applied. */
  readonly run?: (input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Makes a tool, with `run` typed from its schema. Nothing is compiled here, and a toolbox checks what is added to it;
 * the schema is compiled at the first call.
 *
 * @throws ConfigurationValidationError where `effect`, `repeat` or `accept` is a word that does not exist.
 *
 * @example
 * const readFile = tool({
 *   name: 'read_file',
 *   description: 'Reads a file',
 *   input: z.object({ path: z.string() }),
 *   effect: 'read',
 *   run: ({ path }) => files.get(path),
 * });
 */
export function tool<const S = undefined, Out = unknown>(
  definition: ToolDefinition<S, Out>,
): Tool<InferOutput<S>, Out> {
  checkChoices(definition);
  return makeTool(definition);
}

/** Throws where a definition's effect, repeat or accept is no word that exists. */
export function checkChoices({ name, ...definition }: Pick<Tool, 'name'> & Parameters<typeof choiceFaults>[0]): void {
  const faults = choiceFaults(definition);
  const [first] = faults;
  if (!first) return;
  const message = `Tool '${name}' can't be made: ${first.message}. ${first.fix}.`;
  throw new ConfigurationValidationError(message, { configType: 'tool', field: first.field, faults });
}

/** Makes a tool of a definition as it is; whoever adds it to a toolbox learns of its faults. */
export function makeTool<const S = undefined, Out = unknown>(
  definition: ToolDefinition<S, Out>,
): Tool<InferOutput<S>, Out> {
  const { input, effect = 'write', repeat = 'once', metadata = {}, ...rest } = definition;
  let schema: Schema | undefined;
  return {
    ...rest,
    input,
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
