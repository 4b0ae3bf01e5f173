/**
 * The entry `toolmend/dialect`: calls that a model wrote as text, read as they stream and written back.
 */
export type { CallEvent } from './call-event.ts';
export { CallReader, type ReadCallsOptions } from './call-reader.ts';
export type { CallContext, ContextMessage } from './context.ts';
export type { CallForm, Dialect, Frame } from './dialect.ts';
export { dialectOf } from './dialect-of.ts';
export { type CallReading, readCalls } from './read-calls.ts';
export { renderCalls } from './render-calls.ts';
export { type RenderedResult, renderResults } from './render-results.ts';
export { toolPrompt } from './tool-prompt.ts';
export type { WrittenCall } from './written-call.ts';
