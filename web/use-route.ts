import { useEffect, useState } from 'preact/hooks';
import { type Route, readRoute, writeRoute } from './route.ts';

/** What the address says to show, now and whenever it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return readRoute(hash);
}

/** Shows something else; `quietly` leaves no step in the browser's history. */
export function goTo(route: Route, { quietly = false } = {}): void {
  if (!quietly) {
    location.hash = writeRoute(route);
    return;
  }
  history.replaceState(null, '', writeRoute(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
