import { isIP } from 'node:net';
import { blockedRange } from './blocked-range.ts';
import { FetchError } from './fetch-error.ts';
import { hostOf, portOf, type Trust } from './trust.ts';

/** Throws where an address must not be asked: what can be told before its host is looked up. */
export function checkUrl(url: URL, trust: Trust): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('invalid', `Only http and https can be fetched, not ${url.protocol.replace(/:$/, '')}`);
  }
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('blocked', `The address of ${host} holds a login; credentials belong in a header`);
  }
  if (trust.host(url)) return;
  // Some systems don't know these names in every spelling, though they can only mean one address.
  if (/(^|\.)localhost$/.test(host)) checkAddress(url, '127.0.0.1', trust);
  if (isIP(host)) checkAddress(url, host, trust);
  // Below 1024 are the services of a system, and of these only two speak HTTP.
  const port = portOf(url);
  if (Number(port) < 1024 && port !== '80' && port !== '443' && !(isIP(host) && trust.address(host))) {
    throw new FetchError('blocked', `Port ${port} of ${host} is none of the web's`);
  }
}

/** Throws where a host must not be connected to at this address. */
export function checkAddress(url: URL, address: string, trust: Trust): void {
  if (trust.host(url) || trust.address(address)) return;
  const why = blockedRange(address);
  if (why === undefined) return;
  const host = hostOf(url);
  const what = host === address ? `The address ${host} is ${why}` : `${host} leads to ${address}, which is ${why}`;
  throw new FetchError('blocked', `${what}; only public addresses and those the configuration allows are fetched`);
}
