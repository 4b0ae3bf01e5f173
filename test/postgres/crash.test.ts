import { afterAll, beforeAll } from 'vitest';
import { crashSuite } from '../run/crash-suite.ts';
import { type TestPostgres, testPostgres } from './postgres.ts';

let postgres: TestPostgres;
let address: string;
let runs = 0;
beforeAll(async () => {
  postgres = await testPostgres();
  address = await postgres.database();
});
afterAll(() => postgres?.end());

// One database for all: a run of its own is as far apart, and costs less.
crashSuite('postgres', async () => ({ address, run: `run_crash_${runs++}` }));
