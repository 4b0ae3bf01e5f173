import type { Case } from './case.ts';
import type { Entrance, OpenEntrance } from './entrance.ts';
import { faultsOf, reasonsAgainst } from './faults-of.ts';

/** What is known of one case at one entrance. */
export type Cell =
  | { readonly type: 'same' }
  /** It can't be tried there. */
  | { readonly type: 'cannot'; readonly why: string }
  /** It comes out otherwise, and we know. */
  | { readonly type: 'differs'; readonly why: string }
  | { readonly type: 'wrong'; readonly faults: readonly string[] };

/** What a cell is when all comes out as the table has it. */
export function plannedCell(entrance: Entrance, one: Case): Cell {
  const [reason] = reasonsAgainst(entrance, one);
  if (reason !== undefined) return { type: 'cannot', why: reason };
  const why = entrance.differs?.[one.name];
  return why === undefined ? { type: 'same' } : { type: 'differs', why };
}

/** Tries a case at an entrance. */
export async function triedCell(entrance: Entrance, open: OpenEntrance, one: Case): Promise<Cell> {
  const planned = plannedCell(entrance, one);
  if (planned.type === 'cannot') return planned;
  const faults = await faultsAt(entrance, open, one);
  if (faults.length > 0) return planned.type === 'differs' ? planned : { type: 'wrong', faults };
  return planned.type === 'same' ? planned : { type: 'wrong', faults: ['it is said to differ, and no longer does'] };
}

async function faultsAt(entrance: Entrance, open: OpenEntrance, one: Case): Promise<readonly string[]> {
  try {
    return faultsOf(entrance, one, await open.run(one));
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}
