import type { RunFilter, RunRow } from '../../src/inspect/api.ts';

/** Whether a row that came live belongs into the list, by the same words the server narrows by. */
export function fits({ calls, model, run, asked, answered }: RunRow, filter: RunFilter): boolean {
  const { outcome, tool, repair, text } = filter;
  const words = text?.toLowerCase().split(/\s+/) ?? [];
  const said = [run, model, asked, answered, ...calls.flatMap(({ name, callId }) => [name, callId])];
  const all = words.length > 0 ? said.join('\n').toLowerCase() : '';
  return (
    (!outcome || calls.some(({ status }) => status === outcome)) &&
    (!tool || calls.some(({ name }) => name === tool)) &&
    (!filter.model || model === filter.model) &&
    (!repair || calls.some(({ repairs }) => repairs.includes(repair))) &&
    words.every((word) => all.includes(word))
  );
}
