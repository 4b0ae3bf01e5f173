import { afterAll, beforeAll } from 'vitest';
import { openPool, type Pool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { storageSuite } from '../run/storage-suite.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
let pool: Pool;
beforeAll(async () => {
  pool = await openPool(await postgres.database(), { connections: 2 });
});
afterAll(async () => {
  await pool?.end();
});

storageSuite('postgres', async () => {
  const store = await postgresStore(pool);
  await store.remove('run_x');
  return store;
});
