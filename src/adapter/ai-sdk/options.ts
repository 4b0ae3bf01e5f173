import type { LanguageModelMiddleware, ToolSet } from 'ai';
import type { MendOptions } from '../mend-options.ts';

/** Settings of `mendMiddleware()`. None is needed. */
export interface MiddlewareOptions extends MendOptions {
  /**
   * The tools as they are given to the SDK, so that their own schemas have the last word on a call. Zod's has it in any case;
   * of others a model, and whatever stands before it, is shown JSON Schema only.
   */
  readonly tools?: ToolSet;
}

type Wrap<K extends 'wrapGenerate' | 'wrapStream' | 'transformParams'> = NonNullable<LanguageModelMiddleware[K]>;

/** What a model of the SDK is asked. Derived from `ai` alone, so that no other package of the SDK has to be named. */
export type CallOptions = Parameters<Wrap<'transformParams'>>[0]['params'];
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type PromptPart = Extract<PromptMessage, { role: 'assistant' | 'tool' }>['content'][number];
export type PromptCall = Extract<PromptPart, { type: 'tool-call' }>;
export type PromptResult = Extract<PromptPart, { type: 'tool-result' }>;

/** A whole answer, and what it is made of. */
export type GenerateResult = Awaited<ReturnType<Wrap<'wrapGenerate'>>>;
export type Content = GenerateResult['content'][number];
export type ToolCall = Extract<Content, { type: 'tool-call' }>;
export type Text = Extract<Content, { type: 'text' }>;
export type FinishReason = GenerateResult['finishReason'];

/** A streamed answer, and what it yields. */
export type StreamPart =
  Awaited<ReturnType<Wrap<'wrapStream'>>>['stream'] extends ReadableStream<infer Part> ? Part : never;
export type StreamPartOf<T extends StreamPart['type']> = Extract<StreamPart, { type: T }>;
