import { ToolmendError } from '../json/toolmend-error.ts';

/** Runs parameterized queries. */
export interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

/** A connection, which must be released. */
interface Connection extends Queries {
  release(end?: boolean): void;
  on(name: 'error', listener: () => void): unknown;
  off(name: 'error', listener: () => void): unknown;
}

/** A connection pool, as in the `pg` package. */
export interface Pool extends Queries {
  connect(): Promise<Connection>;
  end(): Promise<void>;
}

/** Options of a pool. */
export interface PoolOptions {
  /**
   * Maximum number of connections.
   * @default 10
   */
  readonly connections?: number;
  /**
   * Time to wait for a connection, in milliseconds.
   * @default 10_000
   */
  readonly connectTimeout?: number;
  /**
   * Time to wait for a query, in milliseconds. A machine that is down doesn't report it.
   * @default 60_000
   */
  readonly answerTimeout?: number;
}

/** Opens a connection pool. Imports `pg` at run time, because most users don't need it. */
export async function openPool(
  url: string,
  { connections = 10, connectTimeout = 10_000, answerTimeout = 60_000 }: PoolOptions = {},
): Promise<Pool> {
  const { default: pg } = await import('pg').catch(() => {
    throw new ToolmendError('missing_package', "Postgres needs the package 'pg'. Run: npm install pg");
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: answerTimeout,
    application_name: 'toolmend',
  });
  // Idle connections that break are replaced. Without a listener the error would end the process.
  pool.on('error', () => {});
  return pool as unknown as Pool;
}

// A suspended process must not hold its locks forever.
const begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'";

const ignore = (): void => {};

/** Runs a transaction. If it fails, the connection is closed, which rolls it back. */
export async function inTransaction<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = await orWords(pool.connect());
  const queries = withErrorMessages(connection);
  // Without a listener, a connection that breaks between two queries would end the process.
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

/** Adds an error message for an unavailable database, because socket errors are hard to understand. */
export const withErrorMessages = (queries: Queries): Queries => ({
  query: (text, values) => orWords(queries.query(text, values)),
});

/** The same for a single query. */
const orWords = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: { severity?: string; message?: string; code?: string }) => {
    // Errors of Postgres itself have a severity; all others are connection errors.
    if (error.severity !== undefined) throw error;
    // If all addresses of a host refuse, the error has a code but no message.
    throw new ToolmendError('connection_failed', `The database does not respond: ${error.message || error.code}`, {
      cause: error,
    });
  });
