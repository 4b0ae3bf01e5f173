import { BlockList, isIP } from 'node:net';

const ranges = new BlockList();
ranges.addSubnet('127.0.0.0', 8, 'ipv4');
ranges.addAddress('::1', 'ipv6');

/** The names this machine has for itself alone. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Whether nobody but this machine reaches an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) > 0 && ranges.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
