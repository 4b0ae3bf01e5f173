import { pausedEnds, type RunEnd, runEnds } from '../../src/log/events.ts';

/** Labels of the end reasons. */
export const endLabels: Readonly<Record<RunEnd, string>> = {
  done: 'Done',
  refused: 'Declined',
  filtered: 'Filtered',
  length: 'Truncated',
  empty: 'Empty responses',
  invalid_calls: 'Invalid calls',
  repeated_calls: 'Repeated calls',
  steps: 'Out of turns',
  tokens: 'Out of tokens',
  time: 'Out of time',
  model: 'Model failed',
  awaiting_approval: 'Needs approval',
  awaiting_result: 'Waits for a result',
  aborted: 'Stopped',
  stopped: 'Condition met',
  storage: 'Log failed',
  error: 'Error',
  dead: 'Dead',
};

const calm: readonly RunEnd[] = ['done', 'aborted', 'stopped', 'refused'];

/** How a run ended, or that it is running. */
export function EndBadge({ end }: { readonly end: RunEnd | undefined }) {
  if (end === undefined) return <span class="end end-running">Running</span>;
  const tone = pausedEnds.has(end) ? 'waits' : calm.includes(end) ? end : 'bad';
  return (
    <span class={`end end-${tone}`} title={runEnds[end]}>
      {endLabels[end] ?? end}
    </span>
  );
}
