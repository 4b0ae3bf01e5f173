import { readCalls } from '../../src/dialect/read-calls.ts';
import { mend } from '../../src/mend/mend.ts';
import type { Outcome } from '../../src/mend/outcome.ts';
import type { Toolbox } from '../../src/tools/toolbox.ts';
import type { Case } from './case.ts';

/** What the library makes of the calls of a case; those that name nothing never become calls. */
export function judged({ wrote }: Case, toolbox: Toolbox): readonly Outcome[] {
  if ('text' in wrote) return readCalls(wrote.text, toolbox, { truncated: wrote.finish === 'length' }).calls;
  const { calls, finish = 'tool_calls' } = wrote;
  return calls
    .map((call, at) => mend({ ...call, finishReason: at === calls.length - 1 ? finish : undefined }, toolbox))
    .filter(({ raw }) => /[\p{L}\p{N}]/u.test(String(raw.name)));
}
