import type { JudgedCall } from '../../call/mended-call.ts';
import { argumentsObject } from '../../provider/carry.ts';
import { isUnread } from '../is-unread.ts';

/**
 * Whether a refused call's arguments are no object that says all the model wrote. Only such an object may be shown to others
 * as the call's: whoever judges it again comes to the same end, where an object put together from the rest might pass.
 */
export const isNoObject = (call: JudgedCall): boolean =>
  isUnread(call) || (call.outcome.status === 'invalid' && argumentsObject(call.outcome.raw.arguments) === undefined);
