import type { CallStatus, RunRow } from '../../src/inspect/api.ts';
import type { ToolSpec } from '../../src/model/index.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { errorLabel } from '../parts/error-labels.ts';
import { StatusIcon } from '../parts/status-icon.tsx';
import { lookOf } from '../parts/statuses.ts';
import { counted, lasted } from '../parts/words.ts';
import { writeRoute } from '../route.ts';
import type { CallStory } from '../run/call-story.ts';
import { testCase } from './test-case.ts';
import { WrittenName } from './written-name.tsx';

interface Props {
  readonly run: string;
  readonly row: RunRow;
  readonly story: CallStory;
  readonly status: CallStatus;
  readonly ids: readonly string[];
  readonly schema: ToolSpec | undefined;
}

/** The name and the outcome of a call. */
export function CallHead({ run, row, story, status, ids, schema }: Props) {
  const { callId, call, judged, finished, turn } = story;
  const name = String(judged?.name || call?.name || '');
  const at = ids.indexOf(callId);
  const neighbour = (by: number, label: string) => {
    const next = ids[at + by];
    return next === undefined ? (
      <span class="button is-off">{label}</span>
    ) : (
      <a class="button" href={writeRoute({ view: 'call', run, callId: next })}>
        {label}
      </a>
    );
  };
  return (
    <div class="run-head">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="#/runs">Runs</a> <span aria-hidden="true">/</span>{' '}
        <a href={writeRoute({ view: 'run', run })}>{row.asked || run}</a> <span aria-hidden="true">/</span>{' '}
        <span class="mono">{callId}</span>
      </nav>
      <div class="run-head-line">
        <h1 class={name ? 'mono' : ''}>{name || 'A call without a name'}</h1>
        <div class="call-actions">
          {judged && <CopyButton label="Copy as test case" what="test case" text={() => testCase(judged, schema)} />}
          {neighbour(-1, '← Previous')}
          {neighbour(1, 'Next →')}
        </div>
      </div>
      <p class={`verdict verdict-${status}`}>
        <StatusIcon status={status} label />
        <span>{verdictWords(story, status)}</span>
        <WrittenName name={name} written={call?.name} repairs={judged?.repairs ?? []} />
        <span class="quiet">
          {turn > 0 && `Turn ${turn}`}
          {finished && `, the tool ran ${lasted(finished.ms)}`}
        </span>
      </p>
    </div>
  );
}

function verdictWords({ judged, finished, denied }: CallStory, status: CallStatus): string {
  if (judged?.type === 'call.refused')
    return `${errorLabel(judged.errorType)}: ${counted(judged.problems?.length ?? 0, 'problem')}, and nothing ran. Failed attempt ${judged.attempt}.`;
  if (denied) return `Denied: ${denied.reason}`;
  if (finished && !finished.ok) return `${errorLabel(finished.errorType)}: ${finished.error ?? ''}`;
  const repairs = judged?.repairs ?? [];
  if (repairs.length === 0) return lookOf(status).says;
  const inferred = repairs.filter(({ certainty }) => certainty !== 'lossless').length;
  return `${counted(repairs.length, 'repair')}: ${repairs.length - inferred} lossless, ${inferred} inferred.`;
}
