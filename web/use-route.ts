import { useEffect, useState } from 'preact/hooks';
import { type Route, readRoute, writeRoute } from './route.ts';

/** The current route. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return readRoute(hash);
}

/** Navigates to a route. `quietly` replaces the history entry. */
export function goTo(route: Route, { quietly = false } = {}): void {
  if (!quietly) {
    location.hash = writeRoute(route);
    return;
  }
  history.replaceState(null, '', writeRoute(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
