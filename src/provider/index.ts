/**
 * The entry `toolmend/provider`: the wires of the model providers, both ways, streams and all.
 */

export { specOf } from '../call/spec-of.ts';
export type * from '../turn/turn.ts';
export { anthropicMessages } from './anthropic/anthropic.ts';
export { anthropic } from './client/anthropic.ts';
export type { Timeouts } from './client/ask.ts';
export type { ClientOptions } from './client/client-options.ts';
export type { Fetch } from './client/fetch.ts';
export { gemini } from './client/gemini.ts';
export { ollama } from './client/ollama.ts';
export { type OpenAIOptions, openai } from './client/openai.ts';
export type { RetryOptions } from './client/retry-delay.ts';
export { type DecodeOptions, decodeStream, type StreamDecoder } from './decode-stream.ts';
export { type Fitted, fit } from './fit/fit.ts';
export type { Fitting } from './fit/fitting.ts';
export { type LoweredSchema, type LoweringOptions, lowerSchema } from './fit/lower-schema.ts';
export type { LoweringChange } from './fit/lowering.ts';
export type { LoweringTarget } from './fit/lowering-target.ts';
export { idRules, type NameRule, toolRules } from './fit/name-rule.ts';
export { type SafeIds, safeIds } from './fit/safe-ids.ts';
export { type SafeNames, safeNames } from './fit/safe-names.ts';
export { toolFromSpec } from './fit/tool-from-spec.ts';
export { geminiContent } from './gemini/gemini.ts';
export { ollamaChat } from './ollama/ollama.ts';
export { openaiChat } from './openai-chat/openai-chat.ts';
export { openaiResponses } from './openai-responses/openai-responses.ts';
export { rawCallText } from './raw-call-text.ts';
export type { Play, Script, ScriptedCall, ScriptedTurn } from './scripted/script.ts';
export { type ScriptedOptions, scripted } from './scripted/scripted.ts';
export { type TextModelOptions, textModel } from './text-model.ts';
export type { Address, Provider, StreamReader, StreamWriter, Warning, Written } from './wire.ts';
export { WireError } from './wire-error.ts';
