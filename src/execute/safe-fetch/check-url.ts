import { BlockList, isIP } from 'node:net';
import { FetchError } from './fetch-error.ts';
import { hostOf, portOf, subnet, type Trust } from './trust.ts';

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

/** Addresses that no public service has. The first row that fits names the reason. */
const rows: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by a carrier (CGNAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', "a cloud's metadata service"],
  ['169.254.169.254/32', "a cloud's metadata service"],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.88.99.0/24', 'a relay of 6to4'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'for benchmarks'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'an IPv4 address in IPv6'],
  ['64:ff9b::/96', 'an IPv4 address behind NAT64'],
  ['2002::/16', 'an IPv4 address behind 6to4'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'for documentation'],
  ['3fff::/20', 'for documentation'],
  ['fd00:ec2::254/128', "a cloud's metadata service"],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

const ranges = rows.map(([cidr, what]) => ({ v6: cidr.includes(':'), list: subnet(cidr) ?? new BlockList(), what }));
/** All of IPv6 that was ever given to the public; the rest is refused, whatever it may become. */
const publicV6 = subnet('2000::/3');

/** Why an address must not be connected to; undefined for a public one. */
export function blockedRange(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return 'no address';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // Mapped addresses are found in the ranges of IPv4; the other way round every IPv4 address would be a mapped one.
  const found = ranges.find(({ v6, list }) => (version === 6 || !v6) && list.check(bare, family));
  if (found) return found.what;
  return version === 4 || publicV6?.check(bare, family) ? undefined : 'not public';
}
