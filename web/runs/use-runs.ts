import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilter, RunList, RunRow } from '../../src/inspect/api.ts';
import { AskError, askApi } from '../ask-api.ts';
import { openLive } from '../live/open-live.ts';
import { narrowing } from '../route.ts';
import { mergeRows } from './merge-rows.ts';

/** The list of runs as far as it is loaded, and how it stands with the server. */
export interface Runs {
  readonly type: 'loading' | 'failed' | 'loaded';
  readonly error?: AskError;
  readonly rows: readonly RunRow[];
  readonly total: number;
  readonly facets: Pick<RunList, 'tools' | 'models' | 'repairs'>;
  readonly read: RunList['read'];
  /** How many came on top since the list was loaded. */
  readonly fresh: number;
}

const nothing: Runs = {
  ...{ type: 'loading', rows: [], total: 0, fresh: 0 },
  facets: { tools: [], models: [], repairs: [] },
  read: { runs: 0, of: 0 },
};

/** So many rows come with each question. */
const pageSize = 200;

/** Loads runs page by page, and keeps the list as the server's live rows say. */
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
      if (current.current.query === asked) setRuns((runs) => withPage(runs, list, after !== undefined));
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

function withPage(runs: Runs, { runs: page, total, read, ...facets }: RunList, further: boolean): Runs {
  const known = new Set(further ? runs.rows.map(({ run }) => run) : []);
  const rows = further ? [...runs.rows, ...page.filter(({ run }) => !known.has(run))] : page;
  return { type: 'loaded', rows, total, facets, read, fresh: further ? runs.fresh : 0 };
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
      tools: union(runs.facets.tools, calls.map(({ name }) => name).filter(Boolean)),
      models: union(runs.facets.models, came.map(({ model }) => model).filter(Boolean)),
      repairs: union(
        runs.facets.repairs,
        calls.flatMap(({ repairs }) => repairs),
      ),
    },
  };
}
