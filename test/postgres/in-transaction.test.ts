import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, openPool, type Pool } from '../../src/log/postgres-pool.ts';
import { until } from '../until.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
let pool: Pool;
beforeAll(async () => {
  pool = await openPool(await postgres.database(), { connections: 2 });
  await pool.query('CREATE TABLE places (name text PRIMARY KEY)');
  await pool.query("INSERT INTO places VALUES ('a')");
});
afterAll(async () => {
  await pool?.end();
});

const names = async (): Promise<unknown[]> =>
  (await pool.query('SELECT name FROM places')).rows.map(({ name }) => name);

describe('a transaction', () => {
  it('commits when it settles, and rolls back when its work fails', async () => {
    expect(await inTransaction(pool, async ({ query }) => (await query("INSERT INTO places VALUES ('b')")) && 1)).toBe(
      1,
    );
    const failing = inTransaction(pool, async ({ query }) => {
      await query("INSERT INTO places VALUES ('c')");
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await names()).toEqual(['a', 'b']);
  });

  it('F19 fails if its connection closes between two statements, and the process survives', async () => {
    const cut = inTransaction(pool, async ({ query }) => {
      const { rows } = await query('SELECT pg_backend_pid() AS pid');
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await until(async () => !(await isThere(rows[0]?.pid)));
      await query("INSERT INTO places VALUES ('d')");
    });
    await expect(cut).rejects.toThrow(/The database does not respond|terminating connection/);
    expect(await names()).not.toContain('d');
  });

  it('F20 does not block others if its process sleeps', async () => {
    const sleeping = inTransaction(pool, async ({ query }) => {
      await query("SELECT name FROM places WHERE name = 'a' FOR UPDATE");
      await until(() =>
        pool.query("SELECT name FROM places WHERE name = 'a' FOR UPDATE NOWAIT").then(
          () => true,
          () => false,
        ),
      );
      await query("UPDATE places SET name = 'e' WHERE name = 'a'");
    });
    await expect(sleeping).rejects.toThrow(/The database does not respond|terminating connection/);
    expect(await names()).toContain('a');
  });
});

const isThere = async (pid: unknown): Promise<boolean> =>
  (await pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).rows.length > 0;
