import type { RunFilter } from '../../src/inspect/api.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted } from '../parts/words.ts';
import { narrowing } from '../route.ts';
import { EmptyStore } from './empty-store.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RunList } from './run-list.tsx';
import { useRuns } from './use-runs.ts';

/** The list of runs and requests, updated live. */
export function RunsView({ filter }: { readonly filter: RunFilter }) {
  const { runs, more, again } = useRuns(filter);
  const narrowed = narrowing(filter).length > 0;
  const { read } = runs;
  return (
    <>
      <div class="view-head">
        <h1>Runs</h1>
        {runs.type === 'loaded' && (
          <p class="quiet">
            {counted(runs.total, 'run')}
            {narrowed ? ' found' : ''}
          </p>
        )}
        {runs.facets.dead > 0 && filter.end !== 'dead' && (
          <a class="dead-link" href="#/runs?end=dead">
            {counted(runs.facets.dead, 'dead run')}
          </a>
        )}
        {read.runs < read.of && (
          <p class="quiet">
            Reading the store: {read.runs.toLocaleString('en')} of {counted(read.of, 'run')}
          </p>
        )}
      </div>
      <FilterBar filter={filter} facets={runs.facets} />
      <p class="unseen" role="status">
        {runs.fresh > 0 ? `${counted(runs.fresh, 'new run')} on top` : ''}
      </p>
      {runs.type === 'loading' && <Loading what="runs" lines={8} />}
      {runs.type === 'failed' && runs.error && <Failed error={runs.error} again={again} />}
      {runs.type === 'loaded' && runs.rows.length === 0 && (narrowed ? <NothingFound /> : <EmptyStore />)}
      {runs.rows.length > 0 && runs.type === 'loaded' && (
        <RunList rows={runs.rows} total={runs.total} fresh={runs.fresh} more={more} />
      )}
    </>
  );
}

const NothingFound = () => (
  <Notice title="No runs match this filter">
    <p>Remove a word or a filter, or clear them all.</p>
    <a class="button" href="#/runs">
      Show all runs
    </a>
  </Notice>
);
