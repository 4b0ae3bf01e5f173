import { endedByLength } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason as Finish } from '../../model/index.ts';
import type { FinishReason } from './options.ts';

/** The SDK's words for how an answer ended, in ours. An answer that broke off holds a call that may be open, as one cut off does. */
const ours: Readonly<Record<FinishReason['unified'], Finish>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'filter',
  'tool-calls': 'tool_calls',
  error: 'error',
  interrupted: 'length',
  other: 'other',
};

/** How an answer ended, in our words. */
export const finishOf = ({ unified, raw }: FinishReason): Finish =>
  endedByLength(unified) || endedByLength(raw) ? 'length' : (ours[unified] ?? 'other');

/** What an answer holds once it is mended. */
export interface ResponseContent {
  /** Calls of this program's own tools. */
  readonly calls: readonly CheckedCall[];
  /** Calls that name nothing were left out. */
  readonly dropped: boolean;
}

/** Ends after which a sound call runs; after the others the answer is no answer. */
const harmless: readonly FinishReason['unified'][] = ['stop', 'length', 'other'];

/**
 * How the mended answer ended. The SDK runs no call of an answer that ended by length or in a way it does not know, and that
 * would condemn the whole calls with the open one.
 */
export function mendedFinish(came: FinishReason, { calls, dropped }: ResponseContent): FinishReason {
  const { unified } = came;
  const runs = calls.some(({ outcome }) => outcome.status !== 'invalid');
  if (runs && harmless.includes(unified)) return { ...came, unified: 'tool-calls' };
  if (dropped && calls.length === 0 && unified === 'tool-calls') return { ...came, unified: 'stop' };
  return came;
}
