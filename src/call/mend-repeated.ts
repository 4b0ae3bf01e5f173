import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { RawCall } from '../turn/turn.ts';
import { mend } from './mend.ts';
import type { Outcome } from './outcome.ts';

const refused = new WeakMap<Toolbox, Map<string, string | undefined>>();
const most = 100;

/**
 * `mend()` for an entrance that sees call after call: one that was refused for what its values look like, and comes again
 * unchanged under another id, is meant as it stands.
 */
export function mendRepeated(raw: RawCall, toolbox: Toolbox, policy?: Policy): Outcome {
  const outcome = mend(raw, toolbox, policy);
  if (!outcome.problems.some(({ code }) => code === 'residue')) return outcome;
  const calls = refused.get(toolbox) ?? new Map<string, string | undefined>();
  refused.set(toolbox, calls);
  const key = JSON.stringify([outcome.name, outcome.input]);
  const isAgain = calls.has(key) && (raw.id === undefined || calls.get(key) !== raw.id);
  if (isAgain) return mend({ ...raw, repeated: true }, toolbox, policy);
  const [oldest] = calls.keys();
  if (calls.size >= most && oldest !== undefined) calls.delete(oldest);
  calls.set(key, raw.id);
  return outcome;
}
