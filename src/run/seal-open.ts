import type { CallRecord } from '../log/call-record.ts';
import type { CallSealed } from '../log/event.ts';
import { sealedCall } from './sealed-call.ts';

const advice =
  'The program stopped while the tool ran, so it is not known whether the call had its effect. Look before you repeat it.';

/** The result of a call whose tool was running when its process ended, and must not run again. */
export const sealOpen = (record: CallRecord): CallSealed => sealedCall(record, 'unknown', advice);

const incomplete =
  'The call did not run: its arguments held a secret, which is not kept, and the program that knew it has ended. ' +
  'Make the call again with the value itself.';

/** The result of a call that can't run any more, because part of its arguments was taken out before they were kept. */
export const sealRedacted = (record: CallRecord): CallSealed => sealedCall(record, 'pending', incomplete);
