/**
 * The `toolmend/dialect` entry: reads calls that a model writes as text, also while streaming, and writes them back.
 */

export { CallReader, type ReadCallsOptions } from './call-reader.ts';
export { dialectOf } from './detect.ts';
export type { CallContext, ContextMessage, ProviderMessage } from './echo/context.ts';
export { type CallReading, readCalls } from './read-calls.ts';
export { type RenderedResult, renderCalls, renderResults } from './render.ts';
export { toolPrompt } from './tool-prompt.ts';
export type { CallEvent, CallForm, Dialect, Frame, WrittenCall } from './types.ts';
