import { existsSync } from 'node:fs';
import { messageOf } from '../../exec/tool-result.ts';
import type { Store } from '../../log/store.ts';
import { UsageError } from '../usage-error.ts';

/** Opens a file of runs; one that is to be read must be there. */
export async function openStore(file: string, { mustExist = false } = {}): Promise<Store> {
  if (mustExist && !existsSync(file)) throw new UsageError(`${file}: there is no such file`);
  const { sqliteStore } = await import('../../log/sqlite-store.ts');
  try {
    return sqliteStore(file);
  } catch (error) {
    throw new UsageError(`${file}: it can't be used as a store: ${messageOf(error)}`);
  }
}
