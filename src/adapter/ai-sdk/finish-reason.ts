import { endedByLength } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason as Finish } from '../../model/index.ts';
import type { FinishReason } from './options.ts';

/** The SDK's finish reasons in ours. A response that broke off may have an open call, like a truncated one. */
const ours: Readonly<Record<FinishReason['unified'], Finish>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'filter',
  'tool-calls': 'tool_calls',
  error: 'error',
  interrupted: 'length',
  other: 'other',
};

/** Converts a finish reason. */
export const finishOf = ({ unified, raw }: FinishReason): Finish =>
  endedByLength(unified) || endedByLength(raw) ? 'length' : (ours[unified] ?? 'other');

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
  const { unified } = came;
  const runs = calls.some(({ outcome }) => outcome.status !== 'invalid');
  if (runs && harmless.includes(unified)) return { ...came, unified: 'tool-calls' };
  if (ignored && calls.length === 0 && unified === 'tool-calls') return { ...came, unified: 'stop' };
  return came;
}
