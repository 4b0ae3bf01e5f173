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

/** The calls that have no result yet, in call order. */
export const openCalls = ({ calls }: RunState) => [...calls.values()].filter(({ result }) => !result);
