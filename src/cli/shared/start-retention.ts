import { forgetOld } from '../../log/forget-old.ts';
import type { Store } from '../../log/store.ts';

const hour = 3_600_000;

/** Deletes runs older than `days`, now and every hour. Returns a function that stops it. */
export function startRetention(store: Store, days: number, complain: (line: string) => unknown): () => void {
  const forget = (): void => {
    forgetOld(store, days).catch((error: unknown) => complain(String(error)));
  };
  forget();
  const timer = setInterval(forget, hour).unref();
  return () => clearInterval(timer);
}
