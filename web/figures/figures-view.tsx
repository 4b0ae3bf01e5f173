import type { Figures } from '../../src/inspect/api.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { dateTime } from '../parts/words.ts';
import { EmptyStore } from '../runs/empty-store.tsx';
import { useKeys } from '../shell/use-keys.ts';
import { useLoaded } from '../use-loaded.ts';
import { goTo } from '../use-route.ts';
import { OverTime } from './over-time.tsx';
import { RepairBars } from './repair-bars.tsx';
import { Tiles } from './tiles.tsx';
import { UsageTable } from './usage-table.tsx';

/** Figures of all calls: over time, by tool, by model, and what mending saved and cost. */
export function FiguresView() {
  const { loaded, again } = useLoaded<Figures>('figures');
  useKeys({ Escape: () => goTo({ view: 'runs', filter: {} }) });
  const figures = loaded.type === 'loaded' ? loaded.value : undefined;
  return (
    <>
      <div class="view-head">
        <h1>Figures</h1>
        {figures && figures.calls > 0 && (
          <p class="quiet">
            {dateTime(figures.from)} to {dateTime(figures.to)}
          </p>
        )}
        {figures && (
          <button type="button" class="button" onClick={again}>
            Refresh
          </button>
        )}
      </div>
      {loaded.type === 'loading' && <Loading what="figures" />}
      {loaded.type === 'failed' && <Failed error={loaded.error} again={again} />}
      {figures && figures.runs === 0 && <EmptyStore />}
      {figures && figures.runs > 0 && (
        <div class="figures">
          <Tiles figures={figures} />
          <OverTime figures={figures} />
          <RepairBars repairs={figures.repairs} />
          <div class="figures-column">
            <UsageTable title="Tools by success" thing="tool" all={figures.tools} />
            <UsageTable title="Models by success" thing="model" all={figures.models} />
          </div>
        </div>
      )}
    </>
  );
}
