import { BlockList, isIP } from 'node:net';
import { ToolmendError } from '../../json/toolmend-error.ts';

/** What an allow list entry permits. */
type Opening =
  | { readonly type: 'range'; readonly list: BlockList }
  | { readonly type: 'host'; readonly name: string; readonly port: string | undefined }
  | { readonly type: 'below'; readonly suffix: string; readonly port: string | undefined };

/** Hosts that the configuration trusts although they aren't public. */
export interface Trust {
  /** Whether this host is listed, directly or by wildcard, with this port or any. */
  host(url: URL): boolean;
  /** Whether this address is in a listed range. */
  address(address: string): boolean;
}

/**
 * Parses an allow list entry: `api.test`, `*.api.test`, `localhost:3000`, `127.0.0.1`, `10.0.0.0/8`. Undefined if it is
 * invalid.
 */
export function parseAllowEntry(entry: string): Opening | undefined {
  const list = subnet(entry);
  if (list) return { type: 'range', list };
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^:/\s[\]@?#]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const below = host.startsWith('*.');
  const name = canonical(below ? host.slice(2) : host);
  if (name === undefined) return undefined;
  if (below) return isIP(name) ? undefined : { type: 'below', suffix: `.${name}`, port };
  return { type: 'host', name, port };
}

/** Combines an allow list. Throws for an invalid entry. */
export function trustOf(allow: readonly string[]): Trust {
  const openings = allow.map((entry) => {
    const opening = parseAllowEntry(entry);
    if (!opening)
      throw new ToolmendError(
        'invalid_option',
        `Invalid allow entry '${entry}': expected a host, *.host, host:port or an address range.`,
      );
    return opening;
  });
  return {
    host(url) {
      const name = hostOf(url);
      return openings.some((one) => {
        if (one.type === 'range' || (one.port !== undefined && one.port !== portOf(url))) return false;
        return one.type === 'host' ? one.name === name : name.endsWith(one.suffix);
      });
    },
    address(address) {
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      return openings.some((one) => one.type === 'range' && one.list.check(address.replace(/%.*$/, ''), family));
    },
  };
}

/** The host without brackets and trailing dot. */
export const hostOf = (url: URL): string =>
  url.hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');

/** The port, or the default port of the protocol. */
export const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');

/** The host as a URL normalizes it, so that case, dots and scripts don't matter. */
function canonical(host: string): string | undefined {
  if (host === '' || host.includes('*') || !URL.canParse(`http://${host}`)) return undefined;
  return hostOf(new URL(`http://${host}`));
}

/** An address range such as `10.0.0.0/8` or `fd00::/8`, or a single address; undefined if it is neither. */
export function subnet(cidr: string): BlockList | undefined {
  const [address = '', length, more] = cidr.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return undefined;
  const whole = version === 4 ? 32 : 128;
  const bits = length === undefined ? whole : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= whole)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  return list;
}
