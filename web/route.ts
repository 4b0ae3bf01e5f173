import type { RunFilter } from '../src/inspect/api.ts';

/** What the page shows. It is in the URL after `#`, which the server never receives. */
export type Route =
  | { readonly view: 'runs'; readonly filter: RunFilter }
  | { readonly view: 'run'; readonly run: string }
  | { readonly view: 'call'; readonly run: string; readonly callId: string }
  | { readonly view: 'figures' }
  /** `shared`: the content of a link. */
  | { readonly view: 'try'; readonly shared: string };

/** Filter parameters in the URL. */
export const filterKeys = ['outcome', 'end', 'tool', 'model', 'repair', 'text'] as const;

/** The view of a URL; by default the list of runs. */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [view, first, second] = path.split('/').map(decoded);
  if (view === 'runs' && first && second) return { view: 'call', run: first, callId: second };
  if (view === 'runs' && first) return { view: 'run', run: first };
  if (view === 'figures') return { view };
  if (view === 'try') return { view, shared: first ?? '' };
  return { view: 'runs', filter: readFilter(query) };
}

/** The URL of a view. */
export function writeRoute(route: Route): string {
  switch (route.view) {
    case 'runs': {
      const query = String(new URLSearchParams(narrowing(route.filter)));
      return `#/runs${query && `?${query}`}`;
    }
    case 'run':
      return `#/runs/${encodeURIComponent(route.run)}`;
    case 'call':
      return `#/runs/${encodeURIComponent(route.run)}/${encodeURIComponent(route.callId)}`;
    case 'figures':
      return '#/figures';
    case 'try':
      return `#/try${route.shared && `/${route.shared}`}`;
  }
}

/** The non-empty parts of a filter. */
export const narrowing = (filter: RunFilter): [string, string][] =>
  filterKeys.flatMap((key): [string, string][] => (filter[key] ? [[key, filter[key]]] : []));

/** Reads a filter from a URL. The server validates it. */
function readFilter(query: string): RunFilter {
  const given = new URLSearchParams(query);
  return Object.fromEntries(filterKeys.flatMap((key) => (given.get(key) ? [[key, given.get(key)]] : [])));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
