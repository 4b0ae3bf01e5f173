import { endedByLength, isUnfinished } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason as Finish } from '../../model/index.ts';
import type { FinishReason } from './options.ts';

/** The SDK's finish reasons in ours. A response that broke off may have an open call, like a failed one. */
const ours: Readonly<Record<FinishReason['unified'], Finish>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'filter',
  'tool-calls': 'tool_calls',
  error: 'error',
  interrupted: 'error',
  other: 'other',
};

/** Converts a finish reason. */
export function finishOf(came: FinishReason): Finish {
  const { unified, raw } = partsOf(came);
  if (endedByLength(unified) || endedByLength(raw)) return 'length';
  const finish = ours[unified] ?? 'other';
  // The SDK also reports reasons such as `pause_turn`, or unknown ones of a response with calls, as an end.
  return (finish === 'tool_calls' || finish === 'stop') && isUnfinished(raw) ? 'other' : finish;
}

/** In version 5 of the SDK, a finish reason is only a word. */
const partsOf = (came: FinishReason): FinishReason =>
  typeof came === 'string' ? { unified: came, raw: undefined } : came;

/** The content of a mended response. */
export interface ResponseContent {
  /** Calls of the program's own tools. */
  readonly calls: readonly CheckedCall[];
  /** Whether calls without a name were ignored. */
  readonly ignored: boolean;
}

/** Finish reasons after which a valid call runs. */
const harmless: readonly FinishReason['unified'][] = ['stop', 'length', 'other'];

/**
 * The finish reason of a mended response. The SDK runs no calls after `length` or an unknown reason, which would also
 * affect complete calls.
 */
export function mendedFinish(came: FinishReason, { calls, ignored }: ResponseContent): FinishReason {
  const { unified } = partsOf(came);
  const as = (other: FinishReason['unified']): FinishReason =>
    typeof came === 'string' ? (other as never) : { ...came, unified: other };
  const runs = calls.some(({ outcome }) => outcome.status !== 'invalid');
  if (runs && harmless.includes(unified)) return as('tool-calls');
  if (ignored && calls.length === 0 && unified === 'tool-calls') return as('stop');
  return came;
}
