import { defaultLimits } from '../../json/limits.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { CallPart } from '../../model/index.ts';

/**
 * A call that was read from text, as a part of a message. Whoever mends it again comes to the same end: it carries what
 * reading found wrong, and that it broke off is plain from its arguments too.
 */
export function callPartOf({ raw, ...outcome }: Outcome, id: string): CallPart {
  const cut = outcome.status === 'invalid' && outcome.errorType === 'truncated';
  const given = raw.arguments ?? {};
  return {
    type: 'call',
    id,
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
