import { visible } from '../../src/log/shown/visible.ts';
import { WrittenName } from '../call/written-name.tsx';
import { errorLabel } from '../parts/error-labels.ts';
import { Guarded } from '../parts/guarded.tsx';
import { ProblemList } from '../parts/problem-list.tsx';
import { shortJson } from '../parts/short-json.ts';
import { StatusIcon } from '../parts/status-icon.tsx';
import { counted, lasted } from '../parts/words.ts';
import { writeRoute } from '../route.ts';
import { ApprovalForm } from './approval-form.tsx';
import { type CallStory, statusOf } from './call-story.ts';
import { PartView } from './part-view.tsx';

interface Props {
  readonly run: string;
  readonly story: CallStory;
  readonly over: boolean;
  readonly canApprove: boolean;
  readonly decided: () => void;
  readonly progress?: string | undefined;
}

/** A call in the timeline: its name, repairs and result. */
export function CallCard({ run, story, over, canApprove, decided, progress }: Props) {
  const { callId, call, judged, finished, started, denied, settled, asked, given, orphaned } = story;
  const status = statusOf(story, over);
  const name = String(judged?.name || call?.name || '');
  const refused = judged?.type === 'call.refused' ? judged : undefined;
  const repairs = judged && !refused ? (judged.repairs?.length ?? 0) : 0;
  const result = finished?.result ?? denied?.result ?? settled?.result;
  return (
    <article class={`call-card call-card-${status}`} aria-label={name ? `Call to ${name}` : 'Call without a name'}>
      <div class="call-card-head">
        <StatusIcon status={status} label />
        <span class="call-card-name">
          <a href={writeRoute({ view: 'call', run, callId })}>{visible(name) || 'no name'}</a>
        </span>
        <WrittenName name={name} written={call?.name} repairs={judged?.repairs ?? []} />
        {repairs > 0 && <span class="flag flag-mended">{counted(repairs, 'repair')}</span>}
        {refused && <span class="flag flag-bad">{errorLabel(refused.errorType)}</span>}
        {finished?.ok === false && <span class="flag flag-bad">{errorLabel(finished.errorType)}</span>}
        {asked && <span class="flag">{asked.effect}</span>}
        {finished && <span class="call-card-ms">{lasted(finished.ms)}</span>}
      </div>
      {status !== 'waiting' && (
        <code class="call-card-input">{visible(shortJson(judged?.input ?? call?.arguments, 300))}</code>
      )}
      <Guarded what="list of problems" from={refused?.problems}>
        {refused && <ProblemList problems={refused.problems} />}
      </Guarded>
      {status === 'waiting' && asked && (
        <ApprovalForm key={callId} run={run} asked={asked} canApprove={canApprove} decided={decided} />
      )}
      {given && <p class="entry-note">{decisionWords(given.decision)}</p>}
      {started && !finished && !settled && !over && <p class="writing">{progress ?? 'running'}</p>}
      {result && (
        <Guarded what="result" from={result}>
          <PartView part={result} />
        </Guarded>
      )}
      {orphaned && <p class="entry-note">Finished after it had been abandoned: {orphaned.outcome}</p>}
    </article>
  );
}

function decisionWords(decision: NonNullable<CallStory['given']>['decision']): string {
  const by = decision?.by ? ` by ${decision.by}` : '';
  if (decision?.type === 'deny') return `Denied${by}${decision.reason ? `: ${decision.reason}` : ''}`;
  if (decision?.type === 'edit')
    return `Allowed${by} with edited arguments: ${visible(shortJson(decision.input, 200))}`;
  return `Allowed${by}${decision?.always ? ', and all later calls of this kind' : ''}`;
}
