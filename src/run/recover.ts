import type { CallRecord } from '../log/call-record.ts';
import { isInherited } from '../log/fold.ts';
import { openCalls } from '../log/history.ts';
import { isRedacted } from '../log/redact.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { callKey } from './call-key.ts';
import type { Run } from './run.ts';
import { settleInterrupted, settleRedacted } from './seal-open.ts';

/**
 * Takes a run up whose process ended, or a fork of one. A call whose tool had not begun is left to run; so is one whose tool
 * had, where running it again does no harm: it only reads, or it knows its key. One that may have had an effect that must not
 * come twice gets its result from us: that it is not known. So does one whose arguments are not kept whole: it would run with
 * something else than was written.
 */
export async function recover(run: Run, toolbox: Toolbox): Promise<void> {
  if (run.state.seq === 0) return;
  run.journal.note({ type: 'run.resumed' });
  for (const record of openCalls(run.state)) {
    if (record.decision?.type === 'deny') continue;
    if (!mayRun(record, run.id, toolbox)) run.journal.note(settleInterrupted(record));
    else if (isRedacted(given(record))) run.journal.note(settleRedacted(record));
    else if (isForked(run, record)) askAgain(run, record, toolbox);
  }
  await run.journal.commit();
}

/** What a call would run with. */
const given = ({ call, approval, decision }: CallRecord): unknown =>
  decision?.type === 'edit' ? decision.input : approval ? approval.input : call.arguments;

/** Whether a call that may run was allowed in another run, of which this one is a fork. */
const isForked = ({ state }: Run, { decision, audit }: CallRecord): boolean =>
  decision !== undefined && isInherited(state, audit.findLast((step) => step.state === 'approved')?.seq ?? 0);

/** An approval belongs to the run it was given in. */
function askAgain({ journal }: Run, { callId, name, approval, decision }: CallRecord, toolbox: Toolbox): void {
  const input = decision?.type === 'edit' ? decision.input : approval?.input;
  const effect = toolbox.get(name)?.effect ?? 'write';
  const reason = 'it was allowed in the run this one was forked from';
  journal.note({ type: 'approval.asked', callId, name, ...approval, input, effect, reason });
}

function mayRun({ state, name, key, callId, began }: CallRecord, run: string, toolbox: Toolbox): boolean {
  if (state !== 'executing') return true;
  const tool = toolbox.get(name);
  // What ran is what the tool was then; what would run is what it is now.
  if (tool?.effect === 'read' && (began?.effect ?? 'read') === 'read') return true;
  // A fork's calls run under keys of their own, by which nobody would know them again.
  const isKnown = tool?.repeat === 'idempotent' && (began?.repeat ?? 'idempotent') === 'idempotent';
  return isKnown && key === callKey(run, callId);
}
