import { type MendedParts, mendParts } from '../mend/mend-call.ts';
import type { TurnResponse } from '../model/index.ts';
import { callsInText } from '../provider/text-calls/text-calls.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type ResponseOptions, readsOf } from './mend-options.ts';

/** Mends the calls of a whole answer, those in its words too. What can't be mended stays as it came. */
export function mendTurn(response: TurnResponse, toolbox: Toolbox, options: ResponseOptions = {}): MendedParts {
  const reads = readsOf(options);
  const found = reads === undefined ? undefined : callsInText(response, toolbox, reads);
  const mended = mendParts(found?.response ?? response, { toolbox, policy: options.policy, before: options.context });
  for (const call of mended.calls) options.onCall?.(call);
  return found ? { ...mended, changed: true } : mended;
}
