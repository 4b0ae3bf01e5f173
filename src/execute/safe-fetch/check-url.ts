import { BlockList, isIP } from 'node:net';
import { FetchError } from './fetch-error.ts';
import { hostOf, portOf, subnet, type Trust } from './trust.ts';

/** Throws if a URL must not be fetched, before its host is resolved. */
export function checkUrl(url: URL, trust: Trust): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('invalid', `Only http and https can be fetched, not ${url.protocol.replace(/:$/, '')}`);
  }
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('blocked', `The URL of ${host} contains a login; credentials belong in a header`);
  }
  if (trust.host(url)) return;
  // Some systems don't resolve these names in every spelling.
  if (/(^|\.)localhost$/.test(host)) checkAddress(url, '127.0.0.1', trust);
  if (isIP(host)) checkAddress(url, host, trust);
  // Ports below 1024 are system services, and only two of them use HTTP.
  const port = portOf(url);
  if (Number(port) < 1024 && port !== '80' && port !== '443' && !(isIP(host) && trust.address(host))) {
    throw new FetchError('blocked', `Port ${port} of ${host} is not a web port`);
  }
}

/** Throws if a host must not be connected to at this address. */
export function checkAddress(url: URL, address: string, trust: Trust): void {
  if (trust.host(url) || trust.address(address)) return;
  const why = blockedRange(address);
  if (why === undefined) return;
  const host = hostOf(url);
  const what = host === address ? `The address ${host} is ${why}` : `${host} resolves to ${address}, which is ${why}`;
  throw new FetchError('blocked', `${what}; only public addresses and those the configuration allows are fetched`);
}

/** Address ranges that aren't public. The first match gives the reason. */
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
/** All public IPv6 addresses. Others are blocked. */
const publicV6 = subnet('2000::/3');

/** Why an address is blocked; undefined for a public one. */
export function blockedRange(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return 'no address';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // IPv4-mapped addresses match the IPv4 ranges. The reverse must not be checked, because every IPv4 address would
  // match as mapped.
  const found = ranges.find(({ v6, list }) => (version === 6 || !v6) && list.check(bare, family));
  if (found) return found.what;
  return version === 4 || publicV6?.check(bare, family) ? undefined : 'not public';
}
