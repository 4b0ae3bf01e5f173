import type { LanguageModelMiddleware, ToolSet } from 'ai';
import type { MendOptions } from '../mend-turn.ts';

/** Options of `mendMiddleware()`. All are optional. */
export interface MiddlewareOptions extends MendOptions {
  /**
   * The tools as passed to the SDK, so that their own schemas decide. Only needed for schemas other than Zod, because
   * middleware only gets their JSON Schema.
   */
  readonly tools?: ToolSet;
}

type Wrap<K extends 'wrapGenerate' | 'wrapStream' | 'transformParams'> = NonNullable<LanguageModelMiddleware[K]>;

/** Types of the SDK, derived from `ai` so that no other package is needed. */
export type CallOptions = Parameters<Wrap<'transformParams'>>[0]['params'];
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type PromptPart = Extract<PromptMessage, { role: 'assistant' | 'tool' }>['content'][number];
export type PromptCall = Extract<PromptPart, { type: 'tool-call' }>;
export type PromptResult = Extract<PromptPart, { type: 'tool-result' }>;

/** A complete response, and its content. */
export type GenerateResult = Awaited<ReturnType<Wrap<'wrapGenerate'>>>;
export type Content = GenerateResult['content'][number];
export type ToolCall = Extract<Content, { type: 'tool-call' }>;
export type Text = Extract<Content, { type: 'text' }>;
export type FinishReason = GenerateResult['finishReason'];

/** A streamed response, and its parts. */
export type StreamPart =
  Awaited<ReturnType<Wrap<'wrapStream'>>>['stream'] extends ReadableStream<infer Part> ? Part : never;
export type StreamPartOf<T extends StreamPart['type']> = Extract<StreamPart, { type: T }>;
