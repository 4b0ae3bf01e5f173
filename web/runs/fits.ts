import type { RunFilter, RunRow } from '../../src/inspect/api.ts';

/** Whether a live row matches the filter. As on the server, all conditions on calls must match the same call. */
export function fits({ calls, model, run, asked, answered, end }: RunRow, filter: RunFilter): boolean {
  const { outcome, tool, repair, text } = filter;
  const words = text?.toLowerCase().split(/\s+/) ?? [];
  const said = [run, model, asked, answered, ...calls.flatMap(({ name, callId }) => [name, callId])];
  const all = words.length > 0 ? said.join('\n').toLowerCase() : '';
  const wantsCall = outcome || tool || repair;
  return (
    (!filter.model || model === filter.model) &&
    (!filter.end || end === filter.end) &&
    words.every((word) => all.includes(word)) &&
    (!wantsCall ||
      calls.some(
        ({ status, name, repairs }) =>
          (!outcome || status === outcome) && (!tool || name === tool) && (!repair || repairs.includes(repair)),
      ))
  );
}
