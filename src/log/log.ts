/**
 * What happened: the events of runs, the stores that keep them, and the state that is folded from them. May import
 * everything from `json/` to `dialect/`, and no provider.
 */
export type * from './call-record.ts';
export type { Approval, Decision } from './decision.ts';
export type * from './event.ts';
export { applyEvent, fold } from './fold.ts';
export { history, openCalls } from './history.ts';
export { Journal, type JournalOptions } from './journal.ts';
export { type MemoryOptions, memoryStore } from './memory-store.ts';
export { type RedactOptions, redactor } from './redact.ts';
export { type RunEnd, runEnds } from './run-end.ts';
export { newRunState, type RunState } from './run-state.ts';
export { SequenceTaken } from './sequence-taken.ts';
export type { RunQuery, RunSummary, Store } from './store.ts';
