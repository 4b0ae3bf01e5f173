import { beforeAll } from 'vitest';
import { crashSuite } from '../run/crash-suite.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
let address: string;
let runs = 0;
beforeAll(async () => {
  address = await postgres.database();
});

// One database for all: a run of its own is as far apart, and costs less.
crashSuite('postgres', async () => ({ address, run: `run_crash_${runs++}` }));
