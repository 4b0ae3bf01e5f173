import type { CallRecord } from '../log/call-record.ts';
import type { CallSealed } from '../log/event.ts';
import { sealedCall } from './sealed-call.ts';

const advice =
  'The program stopped while the tool ran, so it is not known whether the call had its effect. Look before you repeat it.';

/** The result of a call whose tool was running when its process ended, and must not run again. */
export const sealOpen = (record: CallRecord): CallSealed => sealedCall(record, 'unknown', advice);
