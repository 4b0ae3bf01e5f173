import { afterAll, afterEach, beforeAll } from 'vitest';
import { type TestPostgres, testPostgres } from './postgres.ts';

/** Starts a Postgres before the tests of a file, and stops it after the last one. */
export function usePostgres(): TestPostgres {
  let started: TestPostgres | undefined;
  beforeAll(async () => {
    started = await testPostgres();
  });
  afterAll(() => started?.end());
  const running = (): TestPostgres => {
    if (!started) throw new Error('Postgres only runs during tests');
    return started;
  };
  return {
    database: () => running().database(),
    stop: () => running().stop(),
    start: () => running().start(),
    crash: () => running().crash(),
    room: (bytes) => running().room(bytes),
    end: () => running().end(),
  };
}

/** The list of what to close after each test, in reverse order. */
export function closeAfterEach(): (() => unknown)[] {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return closing;
}
