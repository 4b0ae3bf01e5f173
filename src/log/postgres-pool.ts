/** What is asked of a connection: a statement with its values apart. */
export interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

/** A connection that must be given back, or ended where it is of no more use. */
interface Connection extends Queries {
  release(end?: boolean): void;
  on(name: 'error', listener: () => void): unknown;
  off(name: 'error', listener: () => void): unknown;
}

/** A pool of connections, as the package `pg` has it. */
export interface Pool extends Queries {
  connect(): Promise<Connection>;
  end(): Promise<void>;
}

/** Settings of a pool of our own. */
export interface PoolOptions {
  /** How many connections at most; default 10. */
  readonly connections?: number;
  /** How long to wait for a connection, in milliseconds; default 10,000. */
  readonly connectTimeout?: number;
  /** How long to wait for an answer, in milliseconds; default 60,000. A machine that is gone does not say so. */
  readonly answerTimeout?: number;
}

/** Opens a pool of connections. The package `pg` is asked for by name, because most users need none. */
export async function openPool(
  url: string,
  { connections = 10, connectTimeout = 10_000, answerTimeout = 60_000 }: PoolOptions = {},
): Promise<Pool> {
  const { default: pg } = await import('pg').catch(() => {
    throw new Error("A Postgres store needs the package 'pg': npm install pg");
  });
  const pool = new pg.Pool({
    ...{ connectionString: url, max: connections, connectionTimeoutMillis: connectTimeout },
    ...{ query_timeout: answerTimeout, application_name: 'toolmend' },
  });
  // A connection that breaks while nobody uses it is replaced; without a listener it would end the process.
  pool.on('error', () => {});
  return pool as unknown as Pool;
}

// Whoever is paused in the middle, with its whole machine say, must not keep others from what it locked.
const begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'";

const ignore = (): void => {};

/** Does some work in one transaction. Where it fails, the connection is ended, and the transaction with it. */
export async function inTransaction<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = await orWords(pool.connect());
  const queries = withErrorMessages(connection);
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

/** Asks as it is asked, and where nobody answers says so: what a socket says of itself tells a person nothing. */
export const withErrorMessages = (queries: Queries): Queries => ({
  query: (text, values) => orWords(queries.query(text, values)),
});

/** The same for a single answer. */
const orWords = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: { severity?: string; message?: string; code?: string }) => {
    // What Postgres itself says has its severity; everything else comes from the way to it.
    if (error.severity !== undefined) throw error;
    // A name with several addresses that all refuse has a code, and no words.
    throw new Error(`The database does not answer: ${error.message || error.code}`, { cause: error });
  });
