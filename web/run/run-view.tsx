import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { useKeys } from '../shell/use-keys.ts';
import { goTo } from '../use-route.ts';
import { RunControls } from './run-controls.tsx';
import { RunHead } from './run-head.tsx';
import { TimelineView } from './timeline-view.tsx';
import { useCallKeys } from './use-call-keys.ts';
import { useRun } from './use-run.ts';

/** A run, updated live. */
export function RunView({ run }: { readonly run: string }) {
  const { detail, error, timeline, now, lost, again } = useRun(run);
  useKeys({ Escape: () => goTo({ view: 'runs', filter: {} }) });
  useCallKeys();
  if (!detail) return error ? <Failed error={error} again={() => void again()} /> : <Loading what="run" lines={10} />;
  return (
    <>
      <RunHead row={detail.row} timeline={timeline} lost={lost === true} family={detail.children}>
        {detail.canControl && <RunControls row={detail.row} timeline={timeline} sent={again} />}
      </RunHead>
      <TimelineView run={run} timeline={timeline} now={now} canApprove={detail.canApprove} decided={again} />
    </>
  );
}
