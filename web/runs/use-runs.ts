import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilter, RunList, RunRow } from '../../src/inspect/api.ts';
import { AskError, askApi } from '../ask-api.ts';
import { openLive } from '../live/open-live.ts';
import { narrowing } from '../route.ts';
import { mergeRows } from './merge-rows.ts';

/** The loaded part of the list of runs, and its state. */
export interface Runs {
  readonly type: 'loading' | 'failed' | 'loaded';
  readonly error?: AskError;
  /** The query it was loaded with. */
  readonly query: string;
  readonly rows: readonly RunRow[];
  readonly total: number;
  readonly facets: Pick<RunList, 'tools' | 'models' | 'repairs' | 'dead'>;
  readonly read: RunList['read'];
  /** Number of runs added at the top since it was loaded. */
  readonly fresh: number;
}

const nothing: Runs = {
  type: 'loading',
  query: '',
  rows: [],
  total: 0,
  fresh: 0,
  facets: { tools: [], models: [], repairs: [], dead: 0 },
  read: { runs: 0, of: 0 },
};

/** Rows per request. */
const pageSize = 100;

/** Loads runs page by page, and updates them live. */
export function useRuns(filter: RunFilter) {
  const [runs, setRuns] = useState<Runs>(nothing);
  const [tries, setTries] = useState(0);
  const query = String(new URLSearchParams([...narrowing(filter), ['limit', String(pageSize)]]));
  const paging = useRef(false);
  const current = useRef({ query, filter });
  current.current = { query, filter };

  const load = useCallback(async (asked: string, after?: string) => {
    if (paging.current && after) return;
    paging.current = after !== undefined;
    try {
      const list = await askApi<RunList>(`runs?${asked}${after ? `&after=${encodeURIComponent(after)}` : ''}`);
      if (current.current.query === asked) setRuns((runs) => withPage(runs, list, asked, after !== undefined));
    } catch (error) {
      if (current.current.query === asked) setRuns((runs) => ({ ...runs, type: 'failed', error: asAskError(error) }));
    }
    paging.current = false;
  }, []);

  useEffect(() => void load(query), [query, tries]);
  useEffect(
    () =>
      openLive({
        onMessages: (messages) => {
          const came = messages.flatMap((message) => (message.type === 'rows' ? message.rows : []));
          if (came.length > 0) setRuns((runs) => withLive(runs, came, current.current.filter));
        },
        onOpen: (again) => again && void load(current.current.query),
      }),
    [load],
  );
  const { runs: read, of } = runs.read;
  useEffect(() => {
    if (runs.type !== 'loaded' || read >= of) return;
    const timer = setTimeout(() => void load(query), 1000);
    return () => clearTimeout(timer);
  }, [runs.type, read, of, query, load]);

  return {
    runs,
    more: () => void load(query, runs.rows.at(-1)?.run),
    again: () => {
      setRuns(nothing);
      setTries(tries + 1);
    },
  };
}

const asAskError = (error: unknown): AskError => (error instanceof AskError ? error : new AskError(0, String(error)));

/** Adds a page to the list: at its end, or at the top of the loaded rows. A list of another query is replaced. */
function withPage(runs: Runs, { runs: page, total, read, ...facets }: RunList, query: string, further: boolean): Runs {
  const same = runs.query === query;
  const known = same ? runs.rows : [];
  const has = (rows: readonly RunRow[]) => {
    const ids = new Set(rows.map(({ run }) => run));
    return ({ run }: RunRow): boolean => !ids.has(run);
  };
  const rows = further ? [...known, ...page.filter(has(known))] : [...page, ...known.filter(has(page))];
  return { type: 'loaded', query, rows, total, facets, read, fresh: same ? runs.fresh : 0 };
}

function withLive(runs: Runs, came: readonly RunRow[], filter: RunFilter): Runs {
  const { rows, added } = mergeRows(runs.rows, came, filter);
  const union = <T>(known: readonly T[], more: readonly T[]): readonly T[] => [...new Set([...known, ...more])];
  const calls = came.flatMap((row) => row.calls);
  return {
    ...runs,
    rows,
    total: runs.total + added,
    fresh: runs.fresh + added,
    facets: {
      // Loading the list again counts those that were requeued.
      dead: Math.max(runs.facets.dead, rows.filter(({ end }) => end === 'dead').length),
      tools: union(runs.facets.tools, calls.map(({ name }) => name).filter(Boolean)),
      models: union(runs.facets.models, came.map(({ model }) => model).filter(Boolean)),
      repairs: union(
        runs.facets.repairs,
        calls.flatMap(({ repairs }) => repairs),
      ),
    },
  };
}
