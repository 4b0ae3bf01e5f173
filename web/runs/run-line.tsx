import type { CallRow, CallStatus, RunRow } from '../../src/inspect/api.ts';
import { EndBadge } from '../parts/end-badge.tsx';
import { StatusIcon } from '../parts/status-icon.tsx';
import { ago, counted, dateTime } from '../parts/words.ts';
import { writeRoute } from '../route.ts';

interface Props {
  readonly row: RunRow;
  readonly chosen: boolean;
  readonly onFocus: () => void;
}

const mostShown = 4;

/** A run in the list: prompt, calls and end. */
export function RunLine({ row, chosen, onFocus }: Props) {
  const { run, asked, answered, model, calls, startedAt, turns } = row;
  return (
    <a
      id={`run-${run}`}
      class={`run-line${chosen ? ' is-chosen' : ''}`}
      href={writeRoute({ view: 'run', run })}
      onFocus={onFocus}
    >
      <span class="run-line-said">
        <span class="run-line-asked">{asked || answered || <span class="quiet mono">{run}</span>}</span>
        <span class="run-line-facts">
          <span title={dateTime(startedAt)}>{ago(startedAt)}</span>
          <span class="run-line-model">{model || 'no model'}</span>
          <span>{counted(turns, 'turn')}</span>
          <span>{counted(calls.length, 'call')}</span>
        </span>
      </span>
      <span class="run-line-calls">
        {worstFirst(calls)
          .slice(0, mostShown)
          .map((call) => (
            <CallChip key={call.callId} call={call} />
          ))}
        {calls.length > mostShown && <span class="chip chip-more">+{calls.length - mostShown}</span>}
      </span>
      <EndBadge end={row.end} />
    </a>
  );
}

function CallChip({ call: { name, status } }: { readonly call: CallRow }) {
  return (
    <span class={`chip chip-${status}`}>
      <StatusIcon status={status} />
      <span class="chip-name">{name || 'no name'}</span>
    </span>
  );
}

const order: readonly CallStatus[] = ['waiting', 'open', 'invalid', 'failed', 'unknown', 'denied', 'mended', 'ok'];

/** Calls that need attention come first. */
const worstFirst = (calls: readonly CallRow[]): readonly CallRow[] =>
  calls.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
