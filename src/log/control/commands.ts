import type { UserMessage } from '../../model/index.ts';
import type { Decision } from '../events.ts';
import { type Pool, withErrorMessages } from '../postgres-pool.ts';

/** A command for a run. */
export type RunCommand =
  | {
      readonly type: 'cancel';
      readonly reason?: string;
      /** Sequence number of the last event when it was sent. A run that has ended since is not cancelled again. */
      readonly after?: number;
    }
  | { readonly type: 'send'; readonly message: UserMessage }
  | { readonly type: 'interrupt'; readonly message: UserMessage }
  | { readonly type: 'approve'; readonly callId: string; readonly decision: Decision };

/** A command that a process has received. */
export interface ReceivedCommand {
  readonly id: string;
  readonly run: string;
  readonly command: RunCommand;
}

/** What has become of a command. */
export interface CommandStatus {
  readonly isAcknowledged: boolean;
  /** Why it was refused. */
  readonly error?: string;
}

/** Commands for runs of other processes, in Postgres. Each is received by one process. */
export interface Commands {
  /** A new id. A command that is sent twice under its id is sent once. */
  newId(): Promise<string>;
  /** Records a command, and notifies the workers. */
  send(id: string, run: string, command: RunCommand): Promise<void>;
  /** Takes the commands of these runs that no process has received, in order. */
  receive(runs: readonly string[]): Promise<readonly ReceivedCommand[]>;
  /** Takes all commands of a run that aren't finished, also those that a process received before it died. */
  takeOver(run: string): Promise<readonly ReceivedCommand[]>;
  /** Leaves a command that was received to another process. */
  release(id: string): Promise<void>;
  /** Confirms that a command was carried out, or refused with an error. */
  acknowledge(id: string, error?: string): Promise<void>;
  /** Finishes the commands of a run that were received: the log has everything about them. */
  finish(run: string): Promise<void>;
  status(id: string): Promise<CommandStatus>;
  /** Takes a command back that no process has received. Returns false if one has. */
  takeBack(id: string): Promise<boolean>;
  /** Takes a command back from a process that died with it. Returns false if it was confirmed. */
  withdraw(id: string): Promise<boolean>;
  /** Whether the process that has claimed a run no longer listens. */
  isOrphaned(run: string): Promise<boolean>;
  /**
   * Calls the listener with each new command's run, and shows others that this process lives. Returns a function that stops it.
   *
   * @param worker number of this process, which its claims have
   */
  listen(listener: (run: string) => void, worker: number): () => void;
}

const channel = 'toolmend_commands';
/** Time between two attempts to listen again, in milliseconds. Meanwhile, workers poll. */
const reconnectTime = 200;

/** Class of the advisory locks that the connections of listening processes hold. Postgres frees them when a process dies. */
const lockClass = 7_645_002;

const newId = "SELECT nextval(pg_get_serial_sequence('toolmend.commands', 'id'))::text AS id";
const send = `
  WITH added AS (INSERT INTO toolmend.commands (id, run, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING)
  SELECT pg_notify('${channel}', $2)`;
const receive = `
  UPDATE toolmend.commands SET received_at = now() WHERE run = ANY($1) AND received_at IS NULL
  RETURNING id::text, run, body`;
const takeOver = `
  UPDATE toolmend.commands SET received_at = now() WHERE run = $1 AND done_at IS NULL RETURNING id::text, run, body`;
const acknowledge = `
  UPDATE toolmend.commands SET acknowledged_at = now(), error = $2, done_at = CASE WHEN $2::text IS NULL THEN done_at ELSE now() END
  WHERE id = $1`;
// The log has the message now, so the copy isn't needed.
const finish = `
  UPDATE toolmend.commands SET done_at = now(), body = 'null'
  WHERE run = $1 AND acknowledged_at IS NOT NULL AND done_at IS NULL`;
const status = 'SELECT acknowledged_at IS NOT NULL AS done, error FROM toolmend.commands WHERE id = $1';
const withdraw = 'DELETE FROM toolmend.commands WHERE id = $1 AND acknowledged_at IS NULL RETURNING id';
const orphaned = `
  SELECT 1 FROM toolmend_queue.job WHERE singleton_key = $1 AND state = 'active' AND (data ->> 'worker')::integer <> 0
    AND NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2
      AND objid = (data ->> 'worker')::integer::oid AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
const takeBack = 'DELETE FROM toolmend.commands WHERE id = $1 AND received_at IS NULL RETURNING id';

/** The commands of a database. */
export function postgresCommands(pool: Pool): Commands {
  const { query } = withErrorMessages(pool);
  const received = async (text: string, value: unknown): Promise<readonly ReceivedCommand[]> => {
    const { rows } = await query(text, [value]);
    return rows
      .map(({ id, run, body }) => ({ id: id as string, run: run as string, command: JSON.parse(body as string) }))
      .filter(({ command }) => command !== null)
      .sort((a, b) => Number(a.id) - Number(b.id));
  };
  return {
    async newId() {
      const { rows } = await query(newId);
      return rows[0]?.id as string;
    },
    async send(id, run, command) {
      await query(send, [id, run, JSON.stringify(command)]);
    },
    receive: (runs) => received(receive, runs),
    takeOver: (run) => received(takeOver, run),
    async release(id) {
      await query('UPDATE toolmend.commands SET received_at = NULL WHERE id = $1 AND acknowledged_at IS NULL', [id]);
    },
    async acknowledge(id, error) {
      // Postgres can't store every character of a name that a caller made up.
      await query(acknowledge, [id, error?.replaceAll('\0', '') ?? null]);
    },
    async finish(run) {
      await query(finish, [run]);
    },
    async status(id) {
      const { rows } = await query(status, [id]);
      const { done = false, error } = rows[0] ?? {};
      return { isAcknowledged: done === true, ...(typeof error === 'string' && { error }) };
    },
    async takeBack(id) {
      return (await query(takeBack, [id])).rows.length > 0;
    },
    async withdraw(id) {
      return (await query(withdraw, [id])).rows.length > 0;
    },
    async isOrphaned(run) {
      return (await query(orphaned, [run])).rows.length > 0;
    },
    listen: (listener, worker) => listen(pool, listener, worker),
  };
}

/** A connection that receives notifications. */
interface Listening {
  query(text: string): Promise<unknown>;
  release(end?: boolean): void;
  on(name: 'notification', listener: (event: { payload?: string }) => void): unknown;
  on(name: 'error' | 'end', listener: () => void): unknown;
}

/** Listens on a connection of its own, and on a new one if it breaks. */
function listen(pool: Pool, listener: (run: string) => void, worker: number): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => {};
  const again = (): void => {
    if (!stopped) timer = setTimeout(() => void open().catch(again), reconnectTime).unref();
  };
  const open = async (): Promise<void> => {
    const connection = (await pool.connect()) as unknown as Listening;
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      connection.release(true);
      again();
    };
    stop = close;
    connection.on('error', close);
    connection.on('end', close);
    connection.on('notification', ({ payload = '' }) => listener(payload));
    if (stopped) return close();
    const begin = `LISTEN ${channel}; SELECT pg_advisory_lock_shared(${lockClass}, ${Math.trunc(worker)})`;
    await connection.query(begin).catch(close);
  };
  void open().catch(again);
  return () => {
    stopped = true;
    clearTimeout(timer);
    stop();
  };
}
