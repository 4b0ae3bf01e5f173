import { CallbackManager, parseCallbackConfigArg } from '@langchain/core/callbacks/manager';
import { type BaseMessage, type MessageContent, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { RunnableConfig } from '@langchain/core/runnables';
import { StructuredTool, type StructuredToolInterface } from '@langchain/core/tools';
import { resultText } from '../../execute/result-part.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import { mend } from '../../mend/mend.ts';
import { beforeCalls, type MessageBefore } from '../../mend/mend-call.ts';
import type { CallPart, ResultPart } from '../../model/index.ts';
import { invoke } from '../../run/invoke/invoke.ts';
import type { Invocation, InvokeOptions } from '../../run/invoke/types.ts';
import type { Checked, Schema } from '../../schema/schema.ts';
import type { Effect, Tool } from '../../tools/tool.ts';
import { checkIsToolbox, offeredTools, Toolbox } from '../../tools/toolbox.ts';
import { schemaWithEffects } from '../tool-effects.ts';
import { boundTools } from './bound-tools.ts';
import { messageContext } from './message-context.ts';
import { kindOf } from './message-fields.ts';

/** How a toolbox's tools run in LangChain. */
export type ToolsOptions = Pick<
  InvokeOptions,
  'policy' | 'hooks' | 'permissions' | 'approve' | 'record' | 'scope' | 'timeout' | 'results'
>;

/**
 * Converts a toolbox to LangChain tools. Calls are mended, validated and run with a timeout, and return one
 * `ToolMessage`, with status `error` if they fail.
 *
 * @example
 * const agent = createAgent({ model, tools: toLangChainTools(toolbox) });
 */
export function toLangChainTools(toolbox: Toolbox, options: ToolsOptions = {}): StructuredTool[] {
  checkIsToolbox(toolbox);
  return offeredTools(toolbox).map((tool) => new ToolboxTool(tool, { ...options, toolbox }));
}

/** The framework's config with the call. */
type Config = RunnableConfig & { readonly toolCall?: ToolCall; readonly state?: unknown };

/**
 * A toolbox's tool as a LangChain tool. It only runs with `invoke()`; the framework's own validation, which would
 * reject calls that can be mended, is skipped.
 */
class ToolboxTool extends StructuredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
  readonly #options: InvokeOptions;

  constructor(tool: Tool, options: InvokeOptions) {
    super();
    this.name = tool.name;
    this.description = tool.description;
    this.schema = schemaWithEffects(tool);
    this.#options = options;
  }

  static override lc_name(): string {
    return 'ToolboxTool';
  }

  // biome-ignore lint/suspicious/noExplicitAny: the framework's own signature has a type for each kind of input
  override async call(input: any, given?: any): Promise<any> {
    const config = parseCallbackConfigArg(given) as Config;
    const call = isToolCall(input) ? input : config.toolCall;
    const args: unknown = isToolCall(input) ? input.args : input;
    const manager = CallbackManager.configure(
      ...[config.callbacks, this.callbacks, config.tags, this.tags, config.metadata, this.metadata],
      { verbose: this.verbose },
    );
    const shown = typeof args === 'string' ? args : JSON.stringify(args);
    const { runId, runName } = config;
    const run = await manager?.handleToolStart(
      this.toJSON(),
      shown,
      runId,
      undefined,
      undefined,
      undefined,
      runName,
      call?.id,
    );
    const invocation = await this.#invoke(call?.id ?? makeId(), args, config);
    const content = contentOf(invocation);
    const status = invocation.value?.ok ? 'success' : 'error';
    const { id } = call ?? {};
    const artifact = invocation.value;
    const output =
      id === undefined ? content : new ToolMessage({ content, status, artifact, name: this.name, tool_call_id: id });
    await run?.handleToolEnd(output);
    return output;
  }

  /** Never called, because `call` is overridden. */
  protected override _call(input: unknown): Promise<unknown> {
    return this.call(input);
  }

  async #invoke(id: string, args: unknown, config: Config): Promise<Invocation> {
    const { signal, state } = config;
    const before = (): readonly MessageBefore[] => beforeCalls(messageContext(messagesIn(state)));
    const call = { id, name: this.name, arguments: args };
    // The approval applies to what the model wrote, so inferred repairs aren't covered.
    const policy = (await this.#isShown(call, config))
      ? { ...this.#options.policy, minCertainty: 'lossless' as const }
      : this.#options.policy;
    return invoke(call, { ...this.#options, policy, before, ...(signal && { signal }) });
  }

  /** Whether a person may have approved a call that would run differently. */
  async #isShown(call: Omit<CallPart, 'type'>, { configurable, state }: Config): Promise<boolean> {
    const { toolbox, policy } = this.#options;
    const { status, repairs } = mend({ ...call, repeated: true }, toolbox, policy);
    if (status !== 'mended' || repairs.every(({ certainty }) => certainty === 'lossless')) return false;
    const answer = messagesIn(state).findLast((message) => kindOf(message) === 'ai');
    return wasInterrupted(configurable, answer?.id);
  }
}

/** The conversation in a graph's state, if there is one. */
function messagesIn(state: unknown): readonly BaseMessage[] {
  const held = isObject(state) ? state.messages : state;
  return Array.isArray(held) ? held.filter((one) => kindOf(one) !== undefined) : [];
}

const isToolCall = (input: unknown): input is ToolCall =>
  typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call' && 'args' in input;

/** Converts a result: to text, or to blocks if there is other content. */
function contentOf({ result }: Invocation): MessageContent {
  if (!result) return 'The call is waiting for approval and has not run.';
  return resultText(result.content) ?? result.content.flatMap(blockOf);
}

function blockOf(part: ResultPart['content'][number]): Exclude<MessageContent, string> {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'media' || 'file' in part.source) return [];
  const [type = 'file'] = part.mediaType.split('/');
  const kind = ['image', 'audio', 'video'].includes(type) ? type : 'file';
  return [{ type: kind, mimeType: part.mediaType, ...part.source }];
}

/** The part of a checkpointer that is used: its checkpoints, newest first. */
interface Checkpoints {
  list(config: object, options?: { readonly limit?: number }): AsyncIterable<unknown>;
}

/** Maximum number of steps between a response and its tools. */
const mostSteps = 50;

/**
 * Whether a graph was interrupted between a response and its tools, by an interrupt or a breakpoint. True if its
 * checkpoints don't show it.
 *
 * @param answer id of the message with the call; without it, every step counts
 */
async function wasInterrupted(configurable: unknown, answer: string | undefined): Promise<boolean> {
  const {
    __pregel_checkpointer: kept,
    __pregel_resuming: resuming,
    thread_id,
    checkpoint_ns: at,
  } = isObject(configurable) ? configurable : {};
  if (!isObject(kept) || typeof kept.list !== 'function') return false;
  // The first step of a resumed graph, which stopped directly before its tools.
  if (resuming === true) return true;
  // The last part names the task of the tool, the rest the graph.
  const checkpoint_ns = String(at ?? '')
    .split('|')
    .slice(0, -1)
    .join('|');
  const since: Record<string, unknown>[] = [];
  try {
    const steps = (kept as unknown as Checkpoints).list(
      { configurable: { thread_id, checkpoint_ns } },
      { limit: mostSteps },
    );
    for await (const step of steps) {
      if (!isObject(step) || !isObject(step.checkpoint)) return true;
      if (!holds(step.checkpoint, answer)) break;
      if (isStop(step)) return true;
      since.push(step.checkpoint);
    }
  } catch {
    return true;
  }
  return wasResumed(since);
}

/** Whether a checkpoint is after the response. */
function holds({ channel_values: values }: Record<string, unknown>, answer: string | undefined): boolean {
  const messages = isObject(values) && Array.isArray(values.messages) ? values.messages : [];
  return answer === undefined || messages.some((message) => isObject(message) && message.id === answer);
}

function isStop({ pendingWrites: writes }: Record<string, unknown>): boolean {
  const channels: unknown[] = Array.isArray(writes) ? writes.map((write) => Array.isArray(write) && write[1]) : [];
  return channels.includes('__interrupt__') || channels.includes('__resume__');
}

/**
 * Whether a graph was resumed after a breakpoint in one of these steps: it then records the versions of its channels,
 * including messages with the response.
 *
 * @param since checkpoints, newest first
 */
function wasResumed(since: readonly Record<string, unknown>[]): boolean {
  const first = messagesVersion(since.at(-1)?.channel_versions);
  return since.some(({ versions_seen: seen }) => {
    const stopped = messagesVersion(isObject(seen) ? seen.__interrupt__ : undefined);
    return stopped !== undefined && (first === undefined || stopped >= first);
  });
}

const messagesVersion = (versions: unknown): string | number | undefined =>
  isObject(versions) ? (versions.messages as string | number | undefined) : undefined;

/** What LangChain's tools don't define. */
export interface FromOptions {
  /**
   * Effects by tool name.
   * @default 'write'
   */
  readonly effects?: Readonly<Record<string, Effect>>;
}

/**
 * Creates a toolbox from LangChain tools, to run with `invoke()` or `agent()`. Arguments are mended and validated with
 * their own schemas; LangChain then applies defaults and transforms.
 *
 * @example
 * const toolbox = fromLangChainTools([search, calculator], { effects: { search: 'read' } });
 */
export function fromLangChainTools(
  tools: readonly StructuredToolInterface[],
  { effects = {} }: FromOptions = {},
): Toolbox {
  checkArgument(Array.isArray(tools), 'tools', 'a list of LangChain tools', tools);
  const { toolbox } = boundTools([...tools]);
  const made = tools.flatMap((one): Tool[] => {
    const known = toolbox.get(one.name);
    const effect = Object.hasOwn(effects, one.name) ? effects[one.name] : undefined;
    if (!known) return [];
    const run: Tool['execute'] = (input, { signal }) => one.invoke(input as never, { signal });
    return [{ ...known, schema: untransformed(known.schema), ...(effect && { effect }), execute: run }];
  });
  return new Toolbox(made, { validate: false });
}

/** A schema that only validates, because LangChain applies transforms itself, which must happen once. */
function untransformed(schema: Schema): Schema {
  const { kind, json } = schema;
  const check = (value: unknown): Checked => {
    const checked = schema.check(value);
    return checked.ok ? { ok: true, value } : checked;
  };
  return { kind, json, check };
}
