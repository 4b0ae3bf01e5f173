import { useEffect, useState } from 'preact/hooks';
import { type AskError, askApi } from './ask-api.ts';

/** State of a request. */
export type Loaded<T> =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly error: AskError }
  | { readonly type: 'loaded'; readonly value: T };

/** Loads a path, and again when it changes or `again` is called. */
export function useLoaded<T>(path: string): { readonly loaded: Loaded<T>; readonly again: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ type: 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    askApi<T>(path, { signal: leaving.signal }).then(
      (value) => setLoaded({ type: 'loaded', value }),
      (error: AskError) => leaving.signal.aborted || setLoaded({ type: 'failed', error }),
    );
    return () => leaving.abort();
  }, [path, tries]);
  return { loaded, again: () => setTries((tries) => tries + 1) };
}
