import { answered, orWords } from './answered.ts';
import type { Pool, Queries } from './postgres-pool.ts';

// Whoever is paused in the middle, with its whole machine say, must not keep others from what it locked.
const begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'";

const ignore = (): void => {};

/** Does some work in one transaction. Where it fails, the connection is ended, and the transaction with it. */
export async function inTransaction<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = await orWords(pool.connect());
  const queries = answered(connection);
  // One that breaks between two statements would end the process, if nobody listened.
  connection.on('error', ignore);
  let done = false;
  try {
    await queries.query(begin);
    const result = await work(queries);
    await queries.query('COMMIT');
    done = true;
    return result;
  } finally {
    connection.release(!done);
    connection.off('error', ignore);
  }
}
