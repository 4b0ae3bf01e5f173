import type { RunFilter } from './api.ts';
import type { TrackedRun } from './run-tracker.ts';

/** Whether a run is one of those that are asked for: what a filter says of calls must hold for one call together. */
export function matches({ row, calls, words }: TrackedRun, filter: RunFilter): boolean {
  const { outcome, tool, repair, model, text } = filter;
  if (model !== undefined && row.model !== model) return false;
  if (
    text !== undefined &&
    !text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.includes(word))
  )
    return false;
  if (outcome === undefined && tool === undefined && repair === undefined) return true;
  return [...calls.values()].some(
    (call) =>
      (outcome === undefined || call.status === outcome) &&
      (tool === undefined || call.name === tool) &&
      (repair === undefined || call.repairs.includes(repair)),
  );
}
