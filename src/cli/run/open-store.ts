import { existsSync } from 'node:fs';
import { messageOf } from '../../execute/tool-result.ts';
import type { Store } from '../../log/store.ts';
import { UsageError } from '../usage-error.ts';

const isPostgres = /^postgres(?:ql)?:\/\//;

/** Opens a store: a file, or a database by URL. With `mustExist`, the file must exist. */
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

/** A store's address for messages, without user and password. */
export function storeLabel(address: string): string {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(address) ?? [];
  if (scheme === undefined) return address;
  if (!URL.canParse(address)) return `${scheme}…`;
  const { username, host, pathname } = new URL(address);
  return `${scheme}${username === '' ? '' : '…@'}${host}${pathname}`;
}
