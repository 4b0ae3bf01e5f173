import type { CallRecord } from '../../log/call-record.ts';
import { fold } from '../../log/fold.ts';
import { openCalls } from '../../log/history.ts';
import type { RunState } from '../../log/run-state.ts';
import type { RunSummary, Store } from '../../log/store.ts';
import { callStatus } from '../run/call-verdict.ts';
import { eventsOf } from './events-of.ts';

/** A run as the list shows it. */
export interface ListedRun extends RunSummary {
  /** How its loop ended, `waiting` for a person, or `open`: it runs, or its process ended in the middle. */
  readonly state: string;
  readonly model: string;
  readonly turns: number;
  readonly calls: number;
  readonly repairs: number;
  readonly problems: number;
  /** What it was asked first. */
  readonly asked: string;
}

/** The newest runs of a store, with what is folded from their events. */
export async function listRuns(store: Store, limit: number): Promise<ListedRun[]> {
  const listed: ListedRun[] = [];
  for (const summary of await store.runs({ limit })) {
    const state = fold(await eventsOf(store, summary.run));
    const calls = [...state.calls.values()];
    const sum = (count: (call: CallRecord) => number): number => calls.reduce((total, call) => total + count(call), 0);
    listed.push({
      ...summary,
      ...{ state: stateOf(state), model: state.started?.model.name ?? '', turns: state.turn, calls: calls.length },
      // What was mended of a call that was refused came to nothing.
      repairs: sum((call) => (callStatus(call) === 'refused' ? 0 : call.repairs.length)),
      problems: sum(({ problems }) => problems.length),
      asked: firstWords(state),
    });
  }
  return listed;
}

function stateOf(state: RunState): string {
  if (openCalls(state).some((call) => call.state === 'approval_required')) return 'waiting';
  return state.ended?.end ?? 'open';
}

function firstWords({ history }: RunState): string {
  for (const entry of history) {
    if (entry.type !== 'message' || entry.message.role !== 'user') continue;
    return entry.message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(' ');
  }
  return '';
}
