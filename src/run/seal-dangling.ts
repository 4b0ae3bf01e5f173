import type { CallRecord } from '../log/call-record.ts';
import type { CallSealed } from '../log/event.ts';
import { openCalls } from '../log/history.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { Run } from './run.ts';
import { sealedCall } from './sealed-call.ts';

type Was = CallSealed['was'];

/** What the model is told of a call that was under way when its process ended. */
const advice: Readonly<Record<Was, string>> = {
  pending: 'The call did not run: the program stopped before it could. Make it again if it is still needed.',
  approval_required:
    'The call did not run: the program stopped while it waited for approval. Ask again if it is needed.',
  approved: 'The call did not run: it had been allowed, but the program stopped first. Make it again if it is needed.',
  unknown:
    'The program stopped while the tool ran, so it is not known whether the call had its effect. Look before you repeat it.',
};

/** Gives every call that was under way when the process ended its one result, and lets those wait that wait for a person. */
export async function sealDangling(run: Run, toolbox: Toolbox): Promise<void> {
  if (run.state.seq === 0) return;
  run.journal.note({ type: 'run.resumed' });
  for (const record of openCalls(run.state)) {
    if (record.state === 'approval_required') continue;
    run.journal.note(seal(record, toolbox));
  }
  await run.journal.commit();
}

function seal(record: CallRecord, toolbox: Toolbox): CallSealed {
  const was: Was = record.state === 'executing' ? 'unknown' : record.state === 'approved' ? 'approved' : 'pending';
  const harmless = was === 'unknown' && toolbox.get(record.name)?.effect === 'read';
  const text = harmless
    ? 'The program stopped while the tool ran. It only reads, so make the call again.'
    : advice[was];
  return sealedCall(record, was, text);
}
