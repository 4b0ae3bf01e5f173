/** The log: events of runs, the stores that keep them, and the state folded from them. */

export type * from './events.ts';
export type { Approval, Decision } from './events.ts';
export { type RunEnd, runEnds } from './events.ts';
export { applyEvent, fold, history, openCalls } from './fold.ts';
export { Journal, type JournalOptions } from './journal.ts';
export { type MemoryOptions, memoryStore } from './memory-store.ts';
export { type RedactOptions, redactor } from './redact/redact.ts';
export type * from './state.ts';
export { newRunState, type RunState } from './state.ts';
export type { RunQuery, RunSummary, Store } from './store.ts';
export { SequenceTaken } from './store.ts';
