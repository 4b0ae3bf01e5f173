import type { Seen, SeenCall } from './entrance.ts';

/** What was seen of calls, with what tools received: each that may run takes its own, and no other may be left with any. */
export function withRuns(seen: readonly Seen[], ran: readonly SeenCall[]): readonly Seen[] {
  const left = [...ran];
  const taken = seen.map((one) => {
    if (one.call === undefined || one.call === 'as written') return undefined;
    const at = left.findIndex(({ name }) => name === (one.call as SeenCall).name);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return seen.map((one, at) => ({ ...one, run: taken[at] ?? left.shift() ?? 'nothing' }));
}
