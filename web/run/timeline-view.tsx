import { useState } from 'preact/hooks';
import { Guarded } from '../parts/guarded.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted } from '../parts/words.ts';
import { EntryView } from './entry-view.tsx';
import type { Now } from './growing.ts';
import { GrowingView } from './growing-view.tsx';
import type { Timeline } from './timeline.ts';

interface Props {
  readonly run: string;
  readonly timeline: Timeline;
  readonly now: Now;
  /** Whether calls can be approved here. */
  readonly canApprove: boolean;
  /** Called after a decision. */
  readonly decided: () => void;
}

/** Initial number of entries, the latest ones. */
const most = 200;

/** The timeline of a run. */
export function TimelineView({ run, timeline, now, canApprove, decided }: Props) {
  const [limit, setLimit] = useState(most);
  const { entries, over } = timeline;
  const hidden = Math.max(0, entries.length - limit);
  return (
    <>
      {hidden > 0 && (
        <button type="button" class="button" onClick={() => setLimit(limit + most)}>
          Show {Math.min(hidden, most)} of {counted(hidden, 'earlier step')}
        </button>
      )}
      <ol class="timeline" aria-label="Timeline">
        {entries.slice(hidden).map((entry) => (
          <li key={entry.event.seq} class={`entry entry-${entry.type}`}>
            <Guarded what="entry" from={entry}>
              <EntryView run={run} entry={entry} over={over} now={now} canApprove={canApprove} decided={decided} />
            </Guarded>
          </li>
        ))}
        {now.growing && !entries.some((entry) => entry.type === 'turn' && entry.turn === now.growing?.turn) && (
          <li class="entry entry-turn">
            <GrowingView growing={now.growing} />
          </li>
        )}
      </ol>
      {now.halted && (
        <Notice tone="bad" title="The log could not be written">
          <p>{now.halted}</p>
        </Notice>
      )}
    </>
  );
}
