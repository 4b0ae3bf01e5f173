/** Shared by all local servers: access checks and body limits. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { ToolmendError } from '../json/toolmend-error.ts';

const ranges = new BlockList();
ranges.addSubnet('127.0.0.0', 8, 'ipv4');
ranges.addAddress('::1', 'ipv6');

/** Loopback host names. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) > 0 && ranges.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));

/** Whether one of these is the token, compared in constant time. */
export const hasToken = (keys: readonly string[], token: string): boolean =>
  keys.reduce((found, key) => timingSafeEqual(digest(key), digest(token)) || found, false);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The server to protect. */
interface Door {
  /** Its name in messages: `proxy`, `gateway`. */
  readonly whose: string;
  /** Accepted host names; any if the server is open to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
  /** Origins of web pages that may send requests. */
  readonly origins?: ReadonlySet<string> | undefined;
  /** Whether the server has no pages, so that a request with its own origin can only come from a program. */
  readonly pageless?: boolean;
}

/** Why a request is refused. */
interface TurnedAway {
  readonly status: number;
  readonly message: string;
}

type Rule = (request: IncomingMessage, door: Door) => readonly [status: number, message: string] | undefined;

/** Checks for each request, in this order. */
const rules: readonly Rule[] = [
  // Browsers send the origin of their page; pages must not access this server.
  ({ headers }, door) =>
    !door.origins?.has(headers.origin ?? '') &&
    ((headers.origin !== undefined && !isOwn(headers, door)) || (headers['sec-fetch-site'] ?? 'none') !== 'none')
      ? [403, `Web pages may not send requests to this ${door.whose}`]
      : undefined,
  // Prevents DNS rebinding: a rebound page still sends its own host name.
  ({ headers }, { hosts, whose }) =>
    hosts && !hosts.has(nameOf(headers.host ?? ''))
      ? [
          403,
          `This ${whose} does not accept the host name '${nameOf(headers.host ?? '')}'. Add it to the setting 'hosts'`,
        ]
      : undefined,
  ({ method }) => (method === 'OPTIONS' || method === 'TRACE' ? [405, `${method} is not supported`] : undefined),
  ({ url = '' }) =>
    isPath(url)
      ? undefined
      : [400, 'The request target must be a path without . or .. segments and control characters'],
];

/** Why a request is refused; undefined if it isn't. */
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

/** `..` segments would leave the upstream's base path, with its key. */
function isPath(url: string): boolean {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return false;
  return isInside(path);
}

/** A segment that leads upwards, however a server separates segments. */
const upwards = /(?:^|[/\\])[.]{1,2}(?:;[^/\\]*)?(?:[/\\]|$)/;
/** Some servers remove control characters, or end the path at one. */
const control = /\p{Cc}/u;
/** Servers in a row may decode a path several times. */
const mostDecodings = 4;

/** Whether a path has no `..` segment and no control character, also after decoding it. */
function isInside(path: string, decodings = 0): boolean {
  if (upwards.test(path) || control.test(path) || decodings > mostDecodings) return false;
  if (!path.includes('%')) return true;
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path || isInside(decoded, decodings + 1);
  } catch {
    // Only the path as it was sent must be encoded correctly.
    return decodings > 0;
  }
}

/** Reads a stream up to a limit. */
export async function readBody(stream: Readable, limit: number): Promise<Buffer> {
  // A small body arrives together with its head, and is parsed right after it: that of a response before the next
  // promise, and that of a request before the next turn of the event loop.
  if (!isComplete(stream)) await undefined;
  if (!isComplete(stream)) await new Promise<void>((resolve) => setImmediate(resolve));
  if (!isComplete(stream)) return collect(stream, limit);
  // Without the events of a stream, which take several turns.
  const bytes: Buffer = stream.read() ?? Buffer.alloc(0);
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

/** Whether a message has arrived completely, and nothing of it was read. */
const isComplete = (stream: Readable & { readonly complete?: boolean }): boolean =>
  stream.complete === true && stream.readableFlowing === null && !stream.readableDidRead && !stream.destroyed;

function collect(stream: Readable, limit: number): Promise<Buffer> {
  // Events cost a tenth of the stream's async iterator, and each request pays twice.
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
      reject(tooLarge(limit));
    });
    stream.on('end', () => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
    stream.on('error', reject);
    const broken = (): void => {
      // Every stream closes, and creating errors is slow, so only for incomplete ones.
      if (!stream.readableEnded)
        reject(new ToolmendError('connection_failed', 'the connection was closed before the end'));
    };
    stream.on('close', broken);
    if (stream.closed) broken();
  });
}

const tooLarge = (limit: number): ToolmendError => new ToolmendError('too_large', `more than ${limit} bytes`);
