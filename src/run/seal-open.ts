import type { CallRecord } from '../log/call-record.ts';
import type { CallSettled } from '../log/event.ts';
import { settledCall } from './sealed-call.ts';

const advice =
  'The program stopped while the tool ran, so it is not known whether the call had its effect. Look before you repeat it.';

/** The result of a call whose tool was running when its process ended, and must not run again. */
export const settleInterrupted = (record: CallRecord): CallSettled => settledCall(record, 'unknown', advice);

const incomplete =
  'The call did not run: its arguments held a secret, which is not kept, and the program that knew it has ended. ' +
  'Make the call again with the value itself.';

/** The result of a call that can't run any more, because part of its arguments was taken out before they were kept. */
export const settleRedacted = (record: CallRecord): CallSettled => settledCall(record, 'pending', incomplete);
