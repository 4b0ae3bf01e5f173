import type { Problem } from '../../json/problem.ts';
import { mend } from '../../mend/mend.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { RawCall } from '../../model/index.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';

/**
 * Checks a call read from text with `mend()`. Without a toolbox it is parsed but not validated.
 *
 * @param cut whether the text ended inside the call, so that it must not run
 * @param found problems from reading it
 */
export function checkCall(
  raw: RawCall,
  toolbox: Toolbox | undefined,
  cut: boolean,
  found: readonly Problem[] = [],
): Outcome {
  const wrong = cut ? [truncatedCall] : found;
  return mend(wrong.length > 0 ? { ...raw, found: wrong } : raw, toolbox ?? anyTool(raw.name));
}

/** Checks a call again with more information. */
export const recheckCall = (
  { raw }: Outcome,
  more: Pick<RawCall, 'found' | 'read'>,
  toolbox: Toolbox | undefined,
): Outcome => mend({ ...raw, ...more }, toolbox ?? anyTool(raw.name));

/** A toolbox with a tool of this name that accepts any arguments. */
const anyTool = (name: string): Toolbox => new Toolbox([tool({ name, description: '' })], { validate: false });

/** The problem of a call that the text ends in. */
export const truncatedCall: Problem = {
  path: [],
  code: 'truncated',
  message: 'Root object is cut off: the text ends before the call is complete',
};
