import type { Problem } from '../../json/problem.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { recheckCall } from '../call/check-call.ts';
import { putEvent } from './output.ts';
import type { Machine } from './state.ts';

const besideOthers: Problem = {
  path: [],
  code: 'syntax',
  message: 'Root object stands beside something that is no call; send nothing but calls between the markers',
};

/** The markers are closed: their calls are told, and none of them is one if anything else stands among them. */
export function endBatch(m: Machine): void {
  const { batch, candidate } = m;
  m.batch = undefined;
  if (!batch) return;
  const judged = new Map<Outcome, Outcome>();
  const judge = (outcome: Outcome): Outcome => {
    const made = judged.get(outcome) ?? recheckCall(outcome, { found: [besideOthers] }, m.toolbox);
    judged.set(outcome, made);
    return made;
  };
  const { foreign } = batch;
  for (const event of batch.events)
    putEvent(m, foreign && event.type === 'call.finished' ? { ...event, outcome: judge(event.outcome) } : event);
  m.calls.push(...(foreign ? batch.outcomes.map(judge) : batch.outcomes));
  if (!foreign || !candidate || candidate.confirmed) return;
  if (!m.named) candidate.data = true;
  else {
    const [outcomes, events] = [candidate.outcomes.map(judge), candidate.events];
    candidate.outcomes.splice(0, outcomes.length, ...outcomes);
    for (const [at, event] of events.entries())
      if (event.type === 'call.finished') events[at] = { ...event, outcome: judge(event.outcome) };
  }
}
