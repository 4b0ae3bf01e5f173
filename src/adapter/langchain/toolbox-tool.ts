import { CallbackManager, parseCallbackConfigArg } from '@langchain/core/callbacks/manager';
import { AIMessage, BaseMessage, type MessageContent, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { RunnableConfig } from '@langchain/core/runnables';
import { StructuredTool } from '@langchain/core/tools';
import { mend } from '../../call/mend.ts';
import { beforeCalls, type MessageBefore } from '../../call/mend-repeated.ts';
import { isObject } from '../../json/value.ts';
import { makeId } from '../../provider/make-id.ts';
import type { Invocation, InvokeOptions } from '../../run/invocation.ts';
import { invoke } from '../../run/invoke.ts';
import type { Tool } from '../../tool/tool.ts';
import type { CallPart, ResultPart } from '../../turn/turn.ts';
import { onlyWords } from '../only-words.ts';
import { shownSchema } from '../shown-effect.ts';
import { messageContext } from './message-context.ts';
import { wasInterrupted } from './was-interrupted.ts';

/** A config that knows which call it is for, as the framework passes it along. */
type Config = RunnableConfig & { readonly toolCall?: ToolCall; readonly state?: unknown };

/**
 * A tool of a toolbox as the framework has tools. It is run by `invoke()` and by nothing else, so the framework's own check
 * of the arguments, which would refuse what can be mended, is left out.
 */
export class ToolboxTool extends StructuredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
  readonly #options: InvokeOptions;

  constructor(tool: Tool, options: InvokeOptions) {
    super();
    this.name = tool.name;
    this.description = tool.description;
    this.schema = shownSchema(tool);
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

  /** Never asked: `call` stands before it. */
  protected override _call(input: unknown): Promise<unknown> {
    return this.call(input);
  }

  async #invoke(id: string, args: unknown, config: Config): Promise<Invocation> {
    const { signal, state } = config;
    const before = (): readonly MessageBefore[] => beforeCalls(messageContext(messagesIn(state)));
    const call = { id, name: this.name, arguments: args };
    // A person saw what the model wrote; what that was only inferred to mean, nobody said yes to.
    const policy = (await this.#isShown(call, config))
      ? { ...this.#options.policy, accept: 'lossless' as const }
      : this.#options.policy;
    return invoke(call, { ...this.#options, policy, before, ...(signal && { signal }) });
  }

  /** Whether a person may have been shown a call that would run as something else. */
  async #isShown(call: Omit<CallPart, 'type'>, { configurable, state }: Config): Promise<boolean> {
    const { toolbox, policy } = this.#options;
    const { status, repairs } = mend({ ...call, repeated: true }, toolbox, policy);
    if (status !== 'mended' || repairs.every(({ certainty }) => certainty === 'lossless')) return false;
    const answer = messagesIn(state).findLast((message) => AIMessage.isInstance(message));
    return wasInterrupted(configurable, answer?.id);
  }
}

/** The conversation in a graph's state, where there is one. */
function messagesIn(state: unknown): readonly BaseMessage[] {
  const held = isObject(state) ? state.messages : state;
  return Array.isArray(held) ? held.filter((one) => BaseMessage.isInstance(one)) : [];
}

const isToolCall = (input: unknown): input is ToolCall =>
  typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call' && 'args' in input;

/** A result as the framework's messages hold it: text where it is text alone, else blocks. */
function contentOf({ result }: Invocation): MessageContent {
  if (!result) return 'The call waits for an approval and has not run.';
  return onlyWords(result.content) ?? result.content.flatMap(blockOf);
}

function blockOf(part: ResultPart['content'][number]): Exclude<MessageContent, string> {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'media' || 'file' in part.source) return [];
  const [type = 'file'] = part.mediaType.split('/');
  const kind = ['image', 'audio', 'video'].includes(type) ? type : 'file';
  return [{ type: kind, mimeType: part.mediaType, ...part.source }];
}
