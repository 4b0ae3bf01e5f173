import type { RequestLimits } from './listen-options.ts';

/** Room for one more, and how to give it back; or how long to wait, in milliseconds. */
export type Admitted = { readonly done: () => void } | { readonly wait: number };

interface Account {
  /** What is left for this minute, as of `at`: it fills up evenly. */
  left: number;
  at: number;
  open: number;
}

const minute = 60_000;
const mostAccounts = 10_000;
const defaultAtOnce = 2048;

/** Counts what each key asks. Keys that ask nothing are forgotten once there are many. */
export function requestLimits(
  { perMinute = Number.POSITIVE_INFINITY, atOnce = defaultAtOnce }: RequestLimits,
  now: () => number = Date.now,
): (key: string) => Admitted {
  const accounts = new Map<string, Account>();
  return (key) => {
    const at = now();
    const account = accounts.get(key) ?? { left: perMinute, at, open: 0 };
    // Put last again, so that the first are those that have not asked for longest.
    accounts.delete(key);
    accounts.set(key, account);
    forget(accounts);
    if (perMinute !== Number.POSITIVE_INFINITY) {
      account.left = Math.min(perMinute, account.left + ((at - account.at) * perMinute) / minute);
      account.at = at;
    }
    if (account.open >= atOnce) return { wait: 1000 };
    if (account.left < 1) return { wait: ((1 - account.left) * minute) / perMinute };
    account.left -= 1;
    account.open += 1;
    return {
      done: () => {
        account.open -= 1;
      },
    };
  };
}

function forget(accounts: Map<string, Account>): void {
  if (accounts.size <= mostAccounts) return;
  for (const [key, { open }] of accounts) {
    if (open > 0) continue;
    accounts.delete(key);
    return;
  }
}
