import { lookup } from 'node:dns';
import { sendOnce } from '../safe-fetch/send-once.ts';

/** How long a connection may take. What comes after it has no limit of its own: a call has its deadline. */
const connect = 10_000;

/**
 * `fetch` for servers that whoever set us up has chosen. The built-in one gives up after 300 seconds without a byte, and a
 * tool may work for longer. Redirects are left to the caller.
 */
export async function patientFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body } = init;
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const sending = { url: new URL(address), method, headers: new Headers(headers), body: body as string | undefined };
  return sendOnce(sending, { lookup, connect, left: Number.POSITIVE_INFINITY, signal });
}
