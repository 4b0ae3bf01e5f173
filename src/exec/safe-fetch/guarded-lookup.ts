import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { checkAddress } from './check-url.ts';
import { FetchError } from './fetch-error.ts';
import type { Trust } from './trust.ts';

/** An address a name leads to. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Looks a host up. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * The lookup a socket makes as it connects: it gets the very addresses that were checked, so that a name can't lead
 * elsewhere between the check and the connection. One bad address among good ones refuses the host.
 */
export function guardedLookup(url: URL, trust: Trust, resolve: Resolve = bySystem): LookupFunction {
  const checked = async (host: string): Promise<{ address: string; family: number }[]> => {
    const found = [...(await resolve(host))];
    for (const { address } of found) checkAddress(url, address, trust);
    if (found.length === 0) throw new FetchError('network', `${host} has no address`, { code: 'ENOTFOUND' });
    return found;
  };
  return (host, options, callback) => {
    checked(host).then(
      (found) => {
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
