import { existsSync } from 'node:fs';
import { messageOf } from '../../exec/tool-result.ts';
import type { Store } from '../../log/store.ts';
import { UsageError } from '../usage-error.ts';
import { shownStore } from './shown-store.ts';

const isPostgres = /^postgres(?:ql)?:\/\//;

/** Opens a file of runs, or a database by its URL; a file that is to be read must be there. */
export async function openStore(file: string, { mustExist = false } = {}): Promise<Store> {
  if (isPostgres.test(file)) return openPostgres(file);
  if (mustExist && !existsSync(file)) throw new UsageError(`${file}: there is no such file`);
  const { sqliteStore } = await import('../../log/sqlite-store.ts');
  try {
    return sqliteStore(file);
  } catch (error) {
    throw new UsageError(`${file}: it can't be used as a store: ${messageOf(error)}`);
  }
}

async function openPostgres(url: string): Promise<Store> {
  const { postgresStore } = await import('../../log/postgres-store.ts');
  try {
    return await postgresStore(url);
  } catch (error) {
    throw new UsageError(`the database ${shownStore(url)} can't be used as a store: ${messageOf(error)}`);
  }
}
