import type { ApprovalRequest } from '../../exec/permission.ts';
import type { CallRecord } from '../../log/call-record.ts';
import type { Decision } from '../../log/decision.ts';
import { fold } from '../../log/fold.ts';
import { openCalls } from '../../log/history.ts';
import { checkEdit, InvalidEdit } from '../../run/invalid-edit.ts';
import type { Run } from '../../run/run.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
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
  const waiting = openCalls(run.state).filter(({ state, decision }) => state === 'approval_required' && !decision);
  if (waiting.length > 0) await decide(run, waiting, session);
  else if (isDone && prompt === '') return converse(run, session);
  if (prompt !== '') run.send(prompt);
  return drive(run.continue(), session);
}

/** The rules of now come first: what they allow or refuse is not asked for. */
async function decide(run: Run, waiting: readonly CallRecord[], session: Session): Promise<void> {
  const { agent, approve, permissions } = session;
  const decisions: [string, Decision][] = [];
  for (const { callId, name, input } of waiting) {
    const tool = agent.toolbox.get(name);
    if (!tool) throw new UsageError(`the call that waits is for ${name}; give its tools with --tools`);
    const call = { callId, tool, name, input };
    const verdict = permissions.decide(call);
    const decision = verdict.type === 'ask' ? await asked(approve, { ...call, ...verdict }, agent.toolbox) : verdict;
    if (decision) decisions.push([callId, decision]);
  }
  await Promise.all(decisions.map(([callId, decision]) => run.approve(callId, decision)));
}

/** Asks until nobody decides now, or the decision can be carried out: an edit that does not fit is given back. */
async function asked(
  approve: Session['approve'],
  call: ApprovalRequest,
  toolbox: Toolbox,
): Promise<Decision | undefined> {
  for (let request = call; ; ) {
    const decision = await approve?.(request, { signal: new AbortController().signal });
    if (decision?.type !== 'edit') return decision;
    try {
      checkEdit(call.name, decision.input, { toolbox });
      return decision;
    } catch (error) {
      if (!(error instanceof InvalidEdit)) throw error;
      request = { ...call, problems: error.problems };
    }
  }
}
