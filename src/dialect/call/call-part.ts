import { defaultLimits } from '../../json/limits.ts';
import { makeId } from '../../mend/make-id.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { CallPart } from '../../model/index.ts';

/**
 * Converts calls read from text to message parts. Mending them again gives the same results: a part contains the
 * problems of the reading, and truncated arguments show it themselves.
 */
export const callParts = (calls: readonly Outcome[]): CallPart[] => calls.map(callPartOf);

function callPartOf({ raw, ...outcome }: Outcome): CallPart {
  const cut = outcome.status === 'invalid' && outcome.errorType === 'truncated';
  const given = raw.arguments ?? {};
  return {
    type: 'call',
    id: makeId(),
    name: raw.name,
    arguments: cut && !isCut(given) ? cutText(given) : given,
    ...(raw.found && { found: raw.found }),
    ...(raw.read && { read: raw.read }),
  };
}

/** Whether the text itself shows that it is truncated. */
const isCut = (given: unknown): boolean =>
  parseArguments({ name: '', arguments: given }, undefined, defaultLimits).problems.some(
    ({ code }) => code === 'truncated',
  );

/** The arguments as an open object, so that they can't be mistaken for complete. */
function cutText(given: unknown): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const open = text.replace(/\}\s*$/, '');
  return open === text ? '{' : `${open}${/\{\s*$/.test(open) ? '' : ','}`;
}
