import type { JudgedCall } from '../../call/mended-call.ts';
import { defaultLimits } from '../../json/limits.ts';
import { unsound } from '../../json/sound.ts';
import { argumentsObject } from '../../provider/carry.ts';
import { isUnread } from '../is-unread.ts';

/**
 * Whether a refused call's arguments are no object that says all the model wrote. Only such an object may be shown to others
 * as the call's: whoever judges it again comes to the same end, where an object put together from the rest might pass.
 */
export function isNoObject(call: JudgedCall): boolean {
  const { status, raw } = call.outcome;
  if (status !== 'invalid') return false;
  const object = argumentsObject(raw.arguments);
  return object === undefined || unsound(object, defaultLimits) !== undefined || isUnread(call);
}
