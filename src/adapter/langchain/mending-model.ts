import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { type Runnable, RunnableBinding, RunnableMap, RunnableSequence } from '@langchain/core/runnables';
import { concat } from '@langchain/core/utils/stream';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import type { Schema } from '../../schema/schema.ts';
import { isHostedModel } from '../is-hosted-model.ts';
import type { MendOptions, ResponseOptions } from '../mend-turn.ts';
import { outputSchema } from '../output-text.ts';
import { boundTools } from './bound-tools.ts';
import { mendChunks } from './mend-chunks.ts';
import { mendMessage } from './mend-message.ts';
import { mendOutput, mendOutputChunks, requestedSchema, schemaIn } from './mend-output.ts';
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
  readonly #output: object | undefined;

  constructor(
    inner: ChatModel,
    options: MendOptions = {},
    tools: readonly BindToolsInput[] = [],
    output: object | undefined = undefined,
  ) {
    const { cache, callbacks, tags, metadata, verbose, outputVersion } = inner;
    const streams = inner._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;
    super({
      verbose,
      disableStreaming: inner.disableStreaming || !streams,
      ...(cache && { cache }),
      ...(callbacks && { callbacks }),
      ...(tags && { tags }),
      ...(metadata && { metadata }),
      ...(outputVersion && { outputVersion }),
    });
    this.inner = inner;
    this.#options = options;
    this.#tools = tools;
    this.#output = output;
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
    if (bound instanceof BaseChatModel) return new MendingModel(bound, this.#options, tools, this.#output);
    if (!RunnableBinding.isRunnableBinding(bound)) return bound;
    const { config, configFactories } = bound;
    const kept = configFactories && { configFactories };
    return new RunnableBinding({ bound: new MendingModel(this.inner, this.#options, tools), config, ...kept }) as never;
  }

  /** What the model returns, with the same parser, but with calls and text that are mended before. */
  override withStructuredOutput: ChatModel['withStructuredOutput'] = ((
    schema: Record<string, unknown>,
    config?: Parameters<ChatModel['withStructuredOutput']>[1],
  ) => {
    const reads = this.inner.withStructuredOutput(schema, config);
    const mending = (inner: ChatModel): MendingModel =>
      new MendingModel(inner, this.#options, this.#tools, schemaIn(schema));
    return withModel(reads, mending);
  }) as ChatModel['withStructuredOutput'];

  async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const isStreaming = 'streaming' in this.inner && this.inner.streaming === true;
    if ((isStreaming || this.#isParsedByClient(options)) && !this.disableStreaming) {
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
      const read = mendMessage(one.message as ModelMessage, this.#bound(options), this.#reads(messages, options));
      const schema = this.#schema(options);
      const message = schema ? mendOutput(read, schema) : read;
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
    const mended = mendChunks(chunks, this.#bound(options), this.#reads(messages, options));
    const schema = this.#schema(options);
    for await (const chunk of schema ? mendOutputChunks(mended, schema) : mended) {
      yield chunk;
      const about = { prompt: options.promptIndex ?? 0, completion: 0 };
      await run?.handleLLMNewToken(chunk.text, about, undefined, undefined, undefined, { chunk });
    }
  }

  /** Whether a client parses a complete response itself, and throws if it is damaged. It leaves streams as they are. */
  #isParsedByClient(options: Options): boolean {
    const { response_format: format } = this.#combined(options);
    return this.#schema(options) !== undefined && format?.type === 'json_schema';
  }

  /** The schema of structured output in text: that of `withStructuredOutput`, or of an agent's `providerStrategy`. */
  #schema(options: Options): Schema | undefined {
    const source = this.#output ?? requestedSchema(this.#combined(options));
    return source && outputSchema(source);
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

  #bound(options: Options): ReturnType<typeof boundTools> {
    const { tools } = this.#combined(options);
    return boundTools(this.#tools.length > 0 || !Array.isArray(tools) ? this.#tools : tools);
  }
}

/** Replaces the model of a runnable: alone, with options, or as the first of a sequence. */
function withModel<R>(runnable: R, mending: (model: ChatModel) => MendingModel): R {
  if (runnable instanceof BaseChatModel) return mending(runnable as ChatModel) as R;
  if (RunnableBinding.isRunnableBinding(runnable)) {
    const { bound, config, configFactories } = runnable;
    const kept = configFactories && { configFactories };
    return new RunnableBinding({ bound: withModel(bound, mending), config, ...kept }) as R;
  }
  if (runnable instanceof RunnableMap) {
    const steps = Object.entries((runnable as unknown as { steps: Record<string, Runnable> }).steps).map(
      ([key, step]) => [key, withModel(step, mending)],
    );
    return new RunnableMap({ steps: Object.fromEntries(steps) }) as R;
  }
  if (!(runnable instanceof RunnableSequence)) return runnable;
  const { name } = runnable;
  const [first, ...rest] = runnable.steps.map((step, at) => (at === 0 ? withModel(step, mending) : step));
  const [last, ...middle] = rest.reverse();
  return new RunnableSequence({ first, middle: middle.reverse(), last, ...(name && { name }) } as never) as R;
}

/**
 * Wraps a chat model, and mends the calls and the structured output of its complete and streamed responses.
 *
 * @example
 * const model = mendModel(new ChatOpenAI({ model: 'some-model' })).bindTools(tools);
 */
export function mendModel(model: ChatModel, options: MendOptions = {}): MendingModel {
  checkArgument(typeof model?.invoke === 'function', 'model', 'a chat model of LangChain', model);
  return new MendingModel(model, options);
}
