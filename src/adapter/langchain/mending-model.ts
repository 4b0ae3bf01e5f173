import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { type Runnable, RunnableBinding } from '@langchain/core/runnables';
import { concat } from '@langchain/core/utils/stream';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import { isHostedModel } from '../is-hosted-model.ts';
import type { MendOptions, ResponseOptions } from '../mend-options.ts';
import { boundTools } from './bound-tools.ts';
import { mendChunks } from './mend-chunks.ts';
import { mendMessage } from './mend-message.ts';
import { messageContext, optionsFor } from './message-context.ts';
import type { ModelMessage } from './message-fields.ts';

/** A chat model of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: each model has call options of its own, and all of them are passed on
export type ChatModel = BaseChatModel<any, AIMessageChunk>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Options = BaseChatModelCallOptions & Record<string, any>;

/** A chat model that mends the responses of another. Requests are passed on unchanged. */
export class MendingModel extends BaseChatModel<Options, AIMessageChunk> {
  readonly inner: ChatModel;
  readonly #options: MendOptions;
  readonly #tools: readonly BindToolsInput[];

  constructor(inner: ChatModel, options: MendOptions = {}, tools: readonly BindToolsInput[] = []) {
    const { cache, callbacks, tags, metadata, verbose, outputVersion } = inner;
    const streams = inner._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;
    super({
      ...{ verbose, disableStreaming: inner.disableStreaming || !streams },
      ...(cache && { cache }),
      ...(callbacks && { callbacks }),
      ...(tags && { tags }),
      ...(metadata && { metadata }),
      ...(outputVersion && { outputVersion }),
    });
    this.inner = inner;
    this.#options = options;
    this.#tools = tools;
  }

  static override lc_name(): string {
    return 'MendingModel';
  }

  override get profile(): ChatModel['profile'] {
    return this.inner.profile;
  }

  override getName(suffix?: string): string {
    return this.inner.getName(suffix);
  }

  override getLsParams(options: this['ParsedCallOptions']): ReturnType<ChatModel['getLsParams']> {
    return this.inner.getLsParams(options);
  }

  override invocationParams(options?: this['ParsedCallOptions']): unknown {
    return this.inner.invocationParams(options);
  }

  override _identifyingParams(): Record<string, unknown> {
    return this.inner._identifyingParams();
  }

  _llmType(): string {
    // The base class calls this in its constructor, before `inner` is set.
    return (this.inner as ChatModel | undefined)?._llmType() ?? 'mending';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<Options>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, Options> {
    if (!this.inner.bindTools)
      throw new ToolmendError(
        'unsupported',
        `The model ${this.inner.getName()} has no bindTools. Use a chat model that supports tools.`,
      );
    const bound = this.inner.bindTools(tools, kwargs);
    if (bound instanceof BaseChatModel) return new MendingModel(bound, this.#options, tools);
    if (!RunnableBinding.isRunnableBinding(bound)) return bound;
    const { config, configFactories } = bound;
    const kept = configFactories && { configFactories };
    return new RunnableBinding({ bound: new MendingModel(this.inner, this.#options, tools), config, ...kept }) as never;
  }

  /** Structured output is left to the model, because what it binds isn't a tool of the agent. */
  override withStructuredOutput: ChatModel['withStructuredOutput'] = ((
    ...args: Parameters<ChatModel['withStructuredOutput']>
  ) => this.inner.withStructuredOutput(...args)) as ChatModel['withStructuredOutput'];

  async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    if ('streaming' in this.inner && this.inner.streaming === true && !this.disableStreaming) {
      let whole: ChatGenerationChunk | undefined;
      for await (const chunk of this._streamResponseChunks(messages, options, run)) {
        whole = whole ? concat(whole, chunk) : chunk;
      }
      return { generations: whole ? [whole] : [] };
    }
    const result = await this.inner._generate(messages, this.#combined(options));
    const generations = result.generations.map((one) => {
      // The finish reason is still next to the message here, and is merged into it later.
      Object.assign(one.message.response_metadata, { ...one.generationInfo, ...one.message.response_metadata });
      const message = mendMessage(one.message as ModelMessage, this.#bound(options), this.#reads(messages, options));
      return message === one.message ? one : { ...one, message, text: message.text };
    });
    return { ...result, generations };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    // Listeners must get the mended chunks, so the inner model gets none.
    const chunks = this.inner._streamResponseChunks(messages, this.#combined(options));
    for await (const chunk of mendChunks(chunks, this.#bound(options), this.#reads(messages, options))) {
      yield chunk;
      const about = { prompt: options.promptIndex ?? 0, completion: 0 };
      await run?.handleLLMNewToken(chunk.text, about, undefined, undefined, undefined, { chunk });
    }
  }

  /** Some models keep bound options, and only add them when called from outside. */
  #combined(options: Options): Options {
    const kept = 'defaultOptions' in this.inner ? this.inner.defaultOptions : undefined;
    return { ...(kept as Options | undefined), ...options };
  }

  #reads(messages: readonly BaseMessage[], options: Options): ResponseOptions {
    const own = { hosted: isHostedModel(this.inner), ...this.#options, context: () => messageContext(messages) };
    return optionsFor(own, this.#combined(options), this.inner);
  }

  #bound({ tools }: Options): ReturnType<typeof boundTools> {
    return boundTools(this.#tools.length > 0 || !Array.isArray(tools) ? this.#tools : tools);
  }
}

/**
 * Wraps a chat model, and mends the calls of its complete and streamed responses.
 *
 * @example
 * const model = mendModel(new ChatOpenAI({ model: 'some-model' })).bindTools(tools);
 */
export function mendModel(model: ChatModel, options: MendOptions = {}): MendingModel {
  checkArgument(typeof model?.invoke === 'function', 'model', 'a chat model of LangChain', model);
  return new MendingModel(model, options);
}
