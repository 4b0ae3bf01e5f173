/** What every server of ours on this machine needs: who may reach it, and how much it reads. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Readable } from 'node:stream';

const ranges = new BlockList();
ranges.addSubnet('127.0.0.0', 8, 'ipv4');
ranges.addAddress('::1', 'ipv6');

/** The names this machine has for itself alone. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Whether nobody but this machine reaches an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) > 0 && ranges.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));

/** Whether one of these is the token. Takes as long for a near miss as for any other. */
export const hasToken = (keys: readonly string[], token: string): boolean =>
  keys.reduce((found, key) => timingSafeEqual(digest(key), digest(token)) || found, false);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Who stands behind a door. */
interface Door {
  /** What it is called in a refusal: `proxy`, `gateway`. */
  readonly whose: string;
  /** Names a request may call this machine by; any where it is open to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
  /** Nothing here is a page, so that only a program can give this very address for its own. */
  readonly pageless?: boolean;
}

/** Why a request is not let in. */
interface TurnedAway {
  readonly status: number;
  readonly message: string;
}

type Rule = (request: IncomingMessage, door: Door) => readonly [status: number, message: string] | undefined;

/** What is asked of every request, in this order. */
const rules: readonly Rule[] = [
  // A browser says where its page is from, and only browsers do: no page has any business here.
  ({ headers }, door) =>
    (headers.origin !== undefined && !isOwn(headers, door)) || (headers['sec-fetch-site'] ?? 'none') !== 'none'
      ? [403, `Web pages may not send requests to this ${door.whose}`]
      : undefined,
  // A page whose name was bent to this machine still calls it by that name.
  ({ headers }, { hosts, whose }) =>
    hosts && !hosts.has(nameOf(headers.host ?? ''))
      ? [
          403,
          `This ${whose} does not accept the host name '${nameOf(headers.host ?? '')}'. Add it to the setting 'hosts'`,
        ]
      : undefined,
  ({ method }) => (method === 'OPTIONS' || method === 'TRACE' ? [405, `${method} is not supported`] : undefined),
  ({ url = '' }) => (isPath(url) ? undefined : [400, 'The request target must be a path without . or .. segments']),
];

/** Says why a request is not let in; nothing where it is. */
export function rejectRequest(request: IncomingMessage, door: Door): TurnedAway | undefined {
  for (const rule of rules) {
    const [status, message] = rule(request, door) ?? [];
    if (status !== undefined && message !== undefined) return { status, message };
  }
  return undefined;
}

const isOwn = ({ origin, host = '' }: IncomingMessage['headers'], { hosts, pageless }: Door): boolean =>
  pageless === true && hosts?.has(nameOf(host)) === true && origin === `http://${host}`;

const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Steps upwards would leave the path an upstream was given with, key and all. */
function isPath(url: string): boolean {
  const [path = ''] = url.split('?');
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return false;
  return !/(?:^|\/)(?:[.]|%2e){1,2}(?:\/|$)/i.test(path) && isText(path);
}

function isText(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** More came than may come. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** All bytes of a stream, up to a limit: what is longer is not read on. */
export function readBody(stream: Readable, limit: number): Promise<Buffer> {
  // Listening costs a tenth of what a stream's own iterator does, and every request pays it twice.
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    stream.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= limit) {
        pieces.push(piece);
        return;
      }
      stream.pause();
      reject(new TooLarge(`more than ${limit} bytes`));
    });
    stream.on('end', () => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
    stream.on('error', reject);
    stream.on('close', () => {
      // An error is dear to make, and every stream is closed in the end.
      if (!stream.readableEnded) reject(new Error('the connection was closed before its end'));
    });
  });
}
