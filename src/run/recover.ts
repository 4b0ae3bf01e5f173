import type { CallRecord } from '../log/call-record.ts';
import { openCalls } from '../log/history.ts';
import { isRedacted } from '../log/redact.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { callKey } from './call-key.ts';
import type { Run } from './run.ts';
import { sealOpen, sealRedacted } from './seal-open.ts';

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
    if (!mayRun(record, run.id, toolbox)) run.journal.note(sealOpen(record));
    else if (isRedacted(given(record))) run.journal.note(sealRedacted(record));
  }
  await run.journal.commit();
}

/** What a call would run with. */
const given = ({ call, decision }: CallRecord): unknown =>
  decision?.type === 'edit' ? decision.input : call.arguments;

function mayRun({ state, name, key, callId }: CallRecord, run: string, toolbox: Toolbox): boolean {
  if (state !== 'executing') return true;
  const tool = toolbox.get(name);
  if (tool?.effect === 'read') return true;
  // A fork's calls run under keys of their own, by which nobody would know them again.
  return tool?.repeat === 'idempotent' && key === callKey(run, callId);
}
