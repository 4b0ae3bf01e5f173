import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { writeRoute } from '../route.ts';
import { ApprovalForm } from '../run/approval-form.tsx';
import { type CallStory, statusOf } from '../run/call-story.ts';
import { PartView } from '../run/part-view.tsx';
import { useRun } from '../run/use-run.ts';
import { useKeys } from '../shell/use-keys.ts';
import { goTo } from '../use-route.ts';
import { CallHead } from './call-head.tsx';
import { CallOutcome } from './call-outcome.tsx';
import { CallTrail } from './call-trail.tsx';
import { schemaIn } from './schema-in.ts';
import { SchemaPanel } from './schema-panel.tsx';

/** A call: raw and final arguments, repairs, problems, feedback and result. */
export function CallView({ run, callId }: { readonly run: string; readonly callId: string }) {
  const { detail, error, timeline, events, again } = useRun(run);
  const ids = [...timeline.calls.keys()];
  const step = (by: number) => () => {
    const next = ids[ids.indexOf(callId) + by];
    if (next !== undefined) goTo({ view: 'call', run, callId: next });
  };
  useKeys({ Escape: () => goTo({ view: 'run', run }), j: step(1), k: step(-1) });
  if (!detail) return error ? <Failed error={error} again={() => void again()} /> : <Loading what="call" lines={10} />;
  const story = timeline.calls.get(callId);
  if (!story) return <NoCall run={run} />;
  const { judged, call, finished, denied, settled, asked } = story;
  const status = statusOf(story, timeline.over);
  const result = finished?.result ?? denied?.result ?? settled?.result;
  const schema = schemaIn(events, judged?.name ?? call?.name ?? '');
  return (
    <>
      <CallHead run={run} row={detail.row} story={story} status={status} ids={ids} schema={schema} />
      {status === 'waiting' && asked && (
        <ApprovalForm
          key={callId}
          run={run}
          asked={asked}
          canApprove={detail.canApprove}
          decided={() => void again()}
        />
      )}
      <CallOutcome
        status={status}
        written={call?.arguments}
        input={judged ? judged.input : undefined}
        repairs={judged?.repairs ?? []}
        problems={judged?.type === 'call.refused' ? (judged.problems ?? []) : []}
        told={toldOf(story)}
        note={judged?.type === 'call.mended' ? judged.note : undefined}
        schema={schema?.schema}
      />
      {result && (
        <section class="panel" aria-labelledby="result-title">
          <h2 id="result-title">{result.isError ? 'Result (error)' : 'The result'}</h2>
          <PartView part={result} />
        </section>
      )}
      <SchemaPanel schema={schema} />
      <CallTrail events={events.filter((event) => 'callId' in event && event.callId === callId)} />
    </>
  );
}

/** The result of a refused call is its feedback. */
const toldOf = ({ judged }: CallStory): string | undefined =>
  judged?.type === 'call.refused'
    ? judged.result?.content?.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : undefined;

const NoCall = ({ run }: { readonly run: string }) => (
  <Notice title="This run doesn't have this call">
    <a class="button" href={writeRoute({ view: 'run', run })}>
      Back to the run
    </a>
  </Notice>
);
