import { BlockList, isIP } from 'node:net';

/** A range of addresses written as `10.0.0.0/8` or `fd00::/8`, or one address; undefined where it is neither. */
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
