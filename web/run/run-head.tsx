import type { ComponentChildren } from 'preact';
import type { RunDetail, RunRow } from '../../src/inspect/api.ts';
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
  /** Child runs. */
  readonly family: RunDetail['children'];
  readonly children?: ComponentChildren;
}

/** The summary of a run. */
export function RunHead({ row, timeline, lost, family, children }: Props) {
  const { entries, calls, over } = timeline;
  const last: RunEvent | undefined = entries.at(-1)?.event;
  const end = over && last?.type === 'run.ended' ? last.end : undefined;
  const errors = (over && last?.type === 'run.ended' && last.errors) || [];
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
      {(row.parent || family.length > 0) && (
        <ul class="family" aria-label="Related runs">
          {row.parent && (
            <li>
              Child of <RunLink run={row.parent.run} words={row.parent.run} />
            </li>
          )}
          {family.map(({ run, asked, end }) => (
            <li key={run}>
              Child run <RunLink run={run} words={asked || run} /> <EndBadge end={end} />
            </li>
          ))}
        </ul>
      )}
      <ul class="tally" aria-label="Calls by outcome">
        {tallied(timeline).map(([status, count]) => (
          <li key={status}>
            <StatusIcon status={status} label /> {count}
          </li>
        ))}
        {calls.size === 0 && <li class="quiet">No calls</li>}
      </ul>
      {errors.length > 0 && (
        <ul class="run-errors" aria-label="Last errors">
          {errors.map(({ name, message }, index) => (
            <li key={index}>
              <span class="mono">{name}</span>: {message}
            </li>
          ))}
        </ul>
      )}
      {children}
      {lost && !over && (
        <p class="lost" role="status">
          Connection lost. The page reconnects by itself.
        </p>
      )}
    </div>
  );
}

const RunLink = ({ run, words }: { readonly run: string; readonly words: string }) => (
  <a href={`#/runs/${encodeURIComponent(run)}`}>{words}</a>
);

const tallied = ({ calls, over }: Timeline) => {
  const counts = Map.groupBy(calls.values(), (story) => statusOf(story, over));
  return [...counts].map(([status, stories]) => [status, stories.length] as const);
};
