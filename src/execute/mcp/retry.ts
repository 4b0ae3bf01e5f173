import type { Client } from '@modelcontextprotocol/client';
import type { Connection } from './connection.ts';
import { deliveryOf } from './failure.ts';

export interface RetryTask<T> {
  readonly signal?: AbortSignal | undefined;
  readonly work: (client: Client) => Promise<T>;
  /** Converts an error to a result. `phase` tells whether the request was sent. */
  readonly failed: (error: unknown, phase: 'connecting' | 'calling') => T;
}

/** Runs a task over a connection. Repeats it once if it certainly never reached the server. */
export async function withRetry<T>(connection: Connection, errand: RetryTask<T>, again = false): Promise<T> {
  const { signal, work, failed } = errand;
  let sent: { readonly client: Client; readonly hasSession: boolean } | undefined;
  try {
    return await connection.use((client) => {
      sent = { client, hasSession: client.transport?.sessionId !== undefined };
      return work(client);
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!sent) return failed(error, 'connecting');
    if (deliveryOf(error, sent.hasSession) === 'unsent') {
      connection.drop(sent.client);
      if (!again) return withRetry(connection, errand, true);
    }
    return failed(error, 'calling');
  }
}
