/** What is asked of a connection: a statement with its values apart. */
export interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

/** A connection that must be given back, or ended where it is of no more use. */
export interface Connection extends Queries {
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
