import type { RunRow } from '../../src/inspect/api.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { EndBadge } from '../parts/end-badge.tsx';
import { StatusIcon } from '../parts/status-icon.tsx';
import { counted, dateTime, lasted } from '../parts/words.ts';
import { statusOf } from './call-story.ts';
import type { Timeline } from './timeline.ts';

interface Props {
  readonly row: RunRow;
  readonly timeline: Timeline;
  readonly lost: boolean;
}

/** The summary of a run. */
export function RunHead({ row, timeline, lost }: Props) {
  const { entries, calls, over } = timeline;
  const last: RunEvent | undefined = entries.at(-1)?.event;
  const end = over && last?.type === 'run.ended' ? last.end : undefined;
  const turns = entries.filter(({ type }) => type === 'turn').length;
  const facts: readonly (readonly [string, string])[] = [
    ['Model', [row.model, row.provider].filter(Boolean).join(' · ') || 'unknown'],
    ['Started', dateTime(row.startedAt)],
    ['Took', lasted((over ? (last?.at ?? row.updatedAt) : Date.now()) - row.startedAt)],
    ['Turns', counted(turns, 'turn')],
    ...(row.tokens > 0 ? [['Tokens', row.tokens.toLocaleString('en')] as const] : []),
    ...(row.own === undefined ? [] : [['Added latency', lasted(row.own)] as const]),
  ];
  return (
    <div class="run-head">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="#/runs">Runs</a> <span aria-hidden="true">/</span> <span class="mono">{row.run}</span>
        <CopyButton text={row.run} what="run id" />
      </nav>
      <div class="run-head-line">
        <h1>{row.asked || 'Run'}</h1>
        <EndBadge end={end} />
      </div>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="tally" aria-label="Calls by outcome">
        {tallied(timeline).map(([status, count]) => (
          <li key={status}>
            <StatusIcon status={status} label /> {count}
          </li>
        ))}
        {calls.size === 0 && <li class="quiet">No calls</li>}
      </ul>
      {lost && !over && (
        <p class="lost" role="status">
          Connection lost. The page reconnects by itself.
        </p>
      )}
    </div>
  );
}

const tallied = ({ calls, over }: Timeline) => {
  const counts = Map.groupBy(calls.values(), (story) => statusOf(story, over));
  return [...counts].map(([status, stories]) => [status, stories.length] as const);
};
