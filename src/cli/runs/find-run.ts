import type { Store } from '../../log/store.ts';
import { UsageError } from '../usage-error.ts';

const most = 100_000;

/** The complete id of a run, from a unique prefix. */
export async function findRun(store: Store, given: string | undefined): Promise<string> {
  if (given === undefined) throw new UsageError('Missing ID. List the ids with: toolmend runs list');
  const ids = (await store.runs({ limit: most })).map(({ run }) => run);
  if (ids.includes(given)) return given;
  const found = ids.filter((id) => id.startsWith(given) || id.startsWith(`run_${given}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new UsageError(
    only === undefined
      ? `No run '${given}'. List the ids with: toolmend runs list`
      : `${found.length} runs start with '${given}'. Write more characters of the id`,
  );
}
