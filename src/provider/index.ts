/**
 * The entry `toolmend/provider`: the wires of the model providers, both ways, streams and all.
 */
export type * from '../turn/turn.ts';
export { anthropicMessages } from './anthropic/anthropic.ts';
export { anthropic } from './client/anthropic.ts';
export type { Timeouts } from './client/ask.ts';
export type { ClientOptions } from './client/client-options.ts';
export type { Fetch } from './client/fetch.ts';
export { gemini } from './client/gemini.ts';
export { type OpenAIOptions, openai } from './client/openai.ts';
export type { RetryOptions } from './client/retry-delay.ts';
export { type DecodeOptions, decodeStream, type StreamDecoder } from './decode-stream.ts';
export { geminiContent } from './gemini/gemini.ts';
export { openaiChat } from './openai-chat/openai-chat.ts';
export { openaiResponses } from './openai-responses/openai-responses.ts';
export type { Play, Script, ScriptedCall, ScriptedTurn } from './scripted/script.ts';
export { type ScriptedOptions, scripted } from './scripted/scripted.ts';
export { type TextModelOptions, textModel } from './text-model.ts';
export type { Address, Loss, Provider, StreamReader, StreamWriter, Written } from './wire.ts';
export { WireError } from './wire-error.ts';
