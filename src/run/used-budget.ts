import type { CallRecord } from '../log/call-record.ts';
import type { RunEvent } from '../log/event.ts';
import { applyEvent, isInherited } from '../log/fold.ts';
import { newRunState, type RunState } from '../log/run-state.ts';
import type { AssistantPart, Usage } from '../turn/turn.ts';
import type { Budgets } from './budgets.ts';
import { Tally } from './tally.ts';

/** What a run has used of its budgets since the last message to it while it was idle. */
export interface UsedBudget {
  readonly tally: Tally | undefined;
  /** Its loop has ended: the next message begins a new count. */
  readonly isOver: boolean;
}

/** Counts what a run has used from its log alone, so that a process that takes it up goes on counting where it stood. */
export function usedBudget(events: readonly RunEvent[], budgets: Budgets): UsedBudget {
  const state = newRunState();
  let tally: Tally | undefined;
  let isOver = true;
  let isResting = false;
  let last = 0;
  let results = new Set<string>();
  const settle = (): void => {
    const calls = [...results]
      .map((id) => state.calls.get(id))
      .filter((call): call is CallRecord => call !== undefined);
    if (calls.length > 0) tally?.count(calls);
    results = new Set();
  };
  for (const event of events) {
    applyEvent(state, event);
    const { type, at, seq } = event;
    // What the run used of which this one is a fork is not its own.
    if (isInherited(state, seq)) {
      isOver = type === 'run.ended' && event.end !== 'awaiting_approval';
      continue;
    }
    if (!tally && !isOver && state.started?.from) tally = new Tally(budgets, at);
    if (type === 'message.added' && isOver) {
      tally = new Tally(budgets, at);
      isOver = false;
      isResting = false;
    } else if (tally && type === 'run.resumed' && !isResting) {
      // Between the last word of a process that ended and the first of the next, nobody worked.
      tally.rest(last);
      tally.wake(at);
    } else if (tally && isResting && type !== 'run.ended' && type !== 'run.resumed') {
      tally.wake(at);
      isResting = false;
    }
    last = at;
    if (results.size > 0 && settles.has(type)) settle();
    if (type === 'run.ended') {
      tally?.rest(at);
      isResting = true;
      isOver = event.end !== 'awaiting_approval';
    } else if (tally) count(tally, event, results, state);
  }
  settle();
  if (!isResting) tally?.rest(last);
  return { tally, isOver };
}

/** Results that came since the last of these belong to one turn. */
const settles: ReadonlySet<RunEvent['type']> = new Set(['turn.asked', 'run.ended', 'run.resumed']);

function count(tally: Tally, event: RunEvent, results: Set<string>, state: RunState): void {
  switch (event.type) {
    case 'turn.asked':
      tally.steps += 1;
      break;
    case 'turn.answered':
      tally.tokens += tokensOf(event.response.usage);
      tally.answered(isEmpty(event.response.message.parts));
      break;
    case 'turn.broken':
      tally.tokens += tokensOf(event.response.usage);
      if (event.error.kind !== 'aborted') tally.broken += 1;
      break;
    case 'call.refused':
    case 'call.denied':
    case 'tool.finished':
    case 'call.sealed':
      if (state.calls.has(event.callId)) results.add(event.callId);
      break;
    default:
  }
}

const tokensOf = (usage: Usage | undefined): number => (usage?.input || 0) + (usage?.output || 0);

const isEmpty = (parts: readonly AssistantPart[]): boolean =>
  !parts.some((part) => (part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'));
