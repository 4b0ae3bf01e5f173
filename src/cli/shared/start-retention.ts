import { forgetOld } from '../../log/forget-old.ts';
import type { Store } from '../../log/store.ts';

const hour = 3_600_000;

/** Forgets what is older than so many days, now and every hour; gives a function that ends that. */
export function startRetention(store: Store, days: number, complain: (line: string) => unknown): () => void {
  const forget = (): void => {
    forgetOld(store, days).catch((error: unknown) => complain(String(error)));
  };
  forget();
  const timer = setInterval(forget, hour).unref();
  return () => clearInterval(timer);
}
