/** The `toolmend/provider` entry: reads and writes the API formats of the model providers, including streams. */

export type * from '../model/index.ts';
export { specOf, toolFromSpec } from '../tools/tool.ts';
export type { Fetch } from './client/fetch.ts';
export type { ClientOptions } from './client/options.ts';
export { anthropic, gemini, type OpenAIOptions, ollama, openai } from './client/providers.ts';
export type { Timeouts } from './client/request.ts';
export type { RetryOptions } from './client/retry.ts';
export { type Fitted, fitRequest, type SafeIds, safeIds } from './compat/fit-request.ts';
export type { LoweringTarget } from './compat/lowering-target.ts';
export { idRules, type NameRule, type SafeNames, safeNames, toolRules } from './compat/safe-names.ts';
export { type LoweredSchema, type LoweringOptions, lowerSchema } from './compat/schema/lower-schema.ts';
export type { Fitting, LoweringChange } from './compat/schema/state.ts';
export { fallbackModel } from './fallback-model.ts';
export type { Play, Script, ScriptedCall, ScriptedTurn } from './scripted/script.ts';
export { type ScriptedOptions, scripted } from './scripted/scripted.ts';
export { type TextModelOptions, textModel } from './text-model.ts';
export { anthropicMessages } from './wire/anthropic/index.ts';
export { type DecodeOptions, decodeStream, type StreamDecoder } from './wire/decode-stream.ts';
export { WireError } from './wire/errors.ts';
export { geminiContent } from './wire/gemini/index.ts';
export { ollamaChat } from './wire/ollama/index.ts';
export { openaiChat } from './wire/openai-chat/index.ts';
export { openaiResponses } from './wire/openai-responses/index.ts';
export type { Address, Provider, StreamReader, StreamWriter, Warning, Written } from './wire/types.ts';
export { rawCallText } from './wire/unparsed-call.ts';
