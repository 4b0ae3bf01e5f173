import { existsSync } from 'node:fs';
import { messageOf } from '../../execute/tool-result.ts';
import type { Store } from '../../log/store.ts';
import { UsageError } from '../usage-error.ts';

const isPostgres = /^postgres(?:ql)?:\/\//;

/** Opens a file of runs, or a database by its URL; a file that is to be read must be there. */
export async function openStore(file: string, { mustExist = false } = {}): Promise<Store> {
  if (isPostgres.test(file)) return openPostgres(file);
  if (mustExist && !existsSync(file)) throw new UsageError(`${file}: no such file`);
  const { sqliteStore } = await import('../../log/sqlite-store.ts');
  try {
    return sqliteStore(file);
  } catch (error) {
    throw new UsageError(`${file}: can't open the store: ${messageOf(error)}`);
  }
}

async function openPostgres(url: string): Promise<Store> {
  const { postgresStore } = await import('../../log/postgres-store.ts');
  try {
    return await postgresStore(url);
  } catch (error) {
    throw new UsageError(`Can't open the database ${storeLabel(url)}: ${messageOf(error)}`);
  }
}

/** A store's address as it may be printed: who comes in by it, and with which password, is left out. */
export function storeLabel(address: string): string {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(address) ?? [];
  if (scheme === undefined) return address;
  if (!URL.canParse(address)) return `${scheme}…`;
  const { username, host, pathname } = new URL(address);
  return `${scheme}${username === '' ? '' : '…@'}${host}${pathname}`;
}
