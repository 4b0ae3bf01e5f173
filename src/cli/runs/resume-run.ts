import type { CallRecord } from '../../log/call-record.ts';
import type { Decision } from '../../log/decision.ts';
import { fold } from '../../log/fold.ts';
import { waitingCalls } from '../../log/history.ts';
import type { Run } from '../../run/run.ts';
import { converse } from '../run/converse.ts';
import { drive } from '../run/drive.ts';
import type { Session } from '../run/session.ts';
import { hasPerson } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { eventsOf } from './events-of.ts';

/** Takes a run up again: asks for what waits, says what is to be said, or goes on where it stopped. */
export async function resumeRun(session: Session, id: string, prompt: string): Promise<number> {
  const events = await eventsOf(session.store, id);
  const isDone = fold(events).ended?.end === 'done';
  session.screen.know(events);
  const talks = hasPerson(session.terminal) && !session.values.json;
  if (isDone && prompt === '' && !talks)
    throw new UsageError('the run is done; say something to go on with: runs resume ID PROMPT');
  const run = await session.agent.resume(id);
  const waiting = waitingCalls(run.state);
  if (waiting.length > 0) await decide(run, waiting, session);
  else if (isDone && prompt === '') return converse(run, session);
  if (prompt !== '') run.send(prompt);
  return drive(run.continue(), session);
}

/** The rules of now come first: what they allow or refuse is not asked for. The rest is asked when the run goes on. */
async function decide(run: Run, waiting: readonly CallRecord[], { agent, permissions }: Session): Promise<void> {
  const decisions: [string, Decision][] = [];
  for (const { callId, name, input } of waiting) {
    const tool = agent.toolbox.get(name);
    if (!tool) throw new UsageError(`the call that waits is for ${name}; give its tools with --tools`);
    const verdict = permissions.decide({ callId, tool, name, input });
    if (verdict.type !== 'ask') decisions.push([callId, verdict]);
  }
  await Promise.all(decisions.map(([callId, decision]) => run.approve(callId, decision)));
}
