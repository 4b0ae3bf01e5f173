import type { Message } from '../turn/turn.ts';
import type { RunState } from './run-state.ts';

/** The conversation as the model is shown it: the results of an answer's calls stand in one message, in call order. */
export function history({ history: entries, calls }: RunState): Message[] {
  return entries.flatMap((entry): Message[] => {
    if (entry.type === 'message') return [entry.message];
    const results = entry.callIds.map((id) => calls.get(id)?.result).filter((result) => result !== undefined);
    return results.length > 0 ? [{ role: 'user', parts: results }] : [];
  });
}

/** Whether something stands last that the model has not answered: words, or results. */
export function needsReply({ history: entries }: RunState): boolean {
  const last = entries.at(-1);
  return last?.type === 'results' || last?.message.role === 'user';
}

/** The calls that have no result yet, in call order. */
export const openCalls = ({ calls }: RunState) => [...calls.values()].filter(({ result }) => !result);

/** Those of them that wait for nobody. */
export const readyCalls = (state: RunState) =>
  openCalls(state).filter((call) => call.state !== 'approval_required' || call.decision);

/** Those that wait for a person who has not decided. */
export const waitingCalls = (state: RunState) =>
  openCalls(state).filter((call) => call.state === 'approval_required' && !call.decision);

/** Whether a run has ended, or waits for a person who has not decided: nobody has anything to do for it. */
export const isAtRest = (state: RunState): boolean => state.ended !== undefined && readyCalls(state).length === 0;
