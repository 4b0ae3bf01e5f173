import { defaultLimits } from '../../json/limits.ts';
import { makeId } from '../../mend/make-id.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { CallPart } from '../../model/index.ts';

/**
 * Calls that were read from text, as parts of a message. Mending them again gives the same outcomes: a part holds the
 * problems of the reading, and arguments that were truncated show it themselves.
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

/** Does the text itself say that it is cut off? */
const isCut = (given: unknown): boolean =>
  parseArguments({ name: '', arguments: given }, undefined, defaultLimits).problems.some(
    ({ code }) => code === 'truncated',
  );

/** What came, as an object that is open and goes on: nobody can take it for whole. */
function cutText(given: unknown): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const open = text.replace(/\}\s*$/, '');
  return open === text ? '{' : `${open}${/\{\s*$/.test(open) ? '' : ','}`;
}
