import type { ServerResponse } from 'node:http';
import { pageHeaders } from './assets.ts';

/** Sends a value as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...pageHeaders,
    ...{ 'content-type': 'application/json', 'cache-control': 'no-store' },
    ...headers,
  });
  response.end(JSON.stringify(value));
}

/** Sends an error message. */
export const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message } });
