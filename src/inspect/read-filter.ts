import { type RepairKind, repairKinds } from '../json/repair.ts';
import { hasOwn } from '../json/value.ts';
import type { CallStatus, RunFilter } from './api.ts';

const statuses: ReadonlySet<string> = new Set<CallStatus>([
  ...(['ok', 'mended', 'invalid', 'failed', 'denied', 'waiting', 'open', 'unknown'] as const),
]);

/** The filter an address asks for. What is empty or means nothing narrows nothing. */
export function readFilter(query: URLSearchParams): RunFilter {
  const said = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const outcome = said('outcome');
  const repair = said('repair');
  const limit = Number(said('limit'));
  const [tool, model, text, after] = [said('tool'), said('model'), said('text'), said('after')];
  return {
    ...(outcome !== undefined && statuses.has(outcome) && { outcome: outcome as CallStatus }),
    ...(repair !== undefined && hasOwn(repairKinds, repair) && { repair: repair as RepairKind }),
    ...(tool !== undefined && { tool }),
    ...(model !== undefined && { model }),
    ...(text !== undefined && { text }),
    ...(after !== undefined && { after }),
    ...(Number.isInteger(limit) && limit > 0 && { limit }),
  };
}
