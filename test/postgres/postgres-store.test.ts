import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { SequenceTaken } from '../../src/log/sequence-taken.ts';
import { all, event, storeSuite } from '../log/store-suite.ts';
import { type TestPostgres, testPostgres } from './postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres?.end());

storeSuite('postgres', async () => postgresStore(await postgres.database(), { connections: 4 }));

describe('postgres', () => {
  it('keeps its events when it is opened again, and several may open it at once', async () => {
    const address = await postgres.database();
    const stores = await Promise.all([1, 2, 3].map(() => postgresStore(address, { connections: 2 })));
    await stores[0]?.append([event('a', 1)]);
    for (const store of stores) {
      expect(await all(store, 'a')).toEqual([event('a', 1)]);
      await store.close();
    }
  });

  it('F20 fences the second writer of a run, and says which number it was', async () => {
    const address = await postgres.database();
    const [one, two] = await Promise.all([postgresStore(address), postgresStore(address)]);
    await one.append([event('a, b', 1)]);
    await two.append([event('a, b', 2)]);
    const error = await one.append([event('other', 1), event('a, b', 2)]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SequenceTaken);
    expect(error).toMatchObject({ run: 'a, b', seq: 2 });
    expect(await all(one, 'other')).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  it('F19 stopped and started again: what was told as written is there, and it goes on', async () => {
    const store = await postgresStore(await postgres.database());
    await store.append([event('a', 1)]);
    await postgres.stop();
    await expect(store.append([event('a', 2)])).rejects.toThrow();
    await postgres.start();
    expect((await all(store, 'a')).map(({ seq }) => seq)).toEqual([1]);
    await store.append([event('a', 2)]);
    expect((await all(store, 'a')).length).toBe(2);
    await store.close();
  });

  it('refuses tables of a later version', async () => {
    const address = await postgres.database();
    await (await postgresStore(address)).close();
    const pool = await openPool(address);
    await pool.query('UPDATE toolmend.version SET version = 99');
    await pool.end();
    await expect(postgresStore(address)).rejects.toThrow('Update toolmend');
  });

  it('says what is wrong with an address', async () => {
    await expect(postgresStore('postgres://nobody:wrong@127.0.0.1:9/none')).rejects.toThrow(/ECONNREFUSED/);
  });
});
