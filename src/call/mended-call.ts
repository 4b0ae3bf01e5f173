import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { CallPart, WrittenFinishReason } from '../turn/turn.ts';
import { isForeign, toolsFor } from './foreign-tools.ts';
import { type Before, mendRepeated } from './mend-repeated.ts';
import type { Outcome } from './outcome.ts';

/** A call of an answer, judged: as it goes out, and what was found. */
export interface JudgedCall {
  /** The call as it goes out: mended, or as it came where it can't be. */
  readonly part: CallPart;
  readonly changed: boolean;
  readonly outcome: Outcome;
  /** It took the place of a bad one, after so many further questions to the model. */
  readonly retried?: number;
}

/** Judges a call with the request's own tools. What can't be mended goes out as it came. */
export function mendCall(
  part: CallPart,
  toolbox: Toolbox,
  policy?: Policy,
  finish?: WrittenFinishReason,
  before?: Before,
): JudgedCall {
  const { type: _, ...written } = part;
  const outcome = mendRepeated({ ...written, finishReason: finish }, toolsFor(part.name, toolbox), policy, before);
  if (outcome.status !== 'mended') return { part, changed: false, outcome };
  const { name, input } = outcome;
  const value = typeof part.arguments === 'string' ? JSON.stringify(input) : input;
  return { part: { ...part, name, arguments: value }, changed: true, outcome };
}

/** Whether a call is wrong, so that its model is to be told. A call to a tool that only the provider knows is not judged. */
export const isBadCall = ({ part, outcome }: JudgedCall, toolbox: Toolbox): boolean =>
  outcome.status === 'invalid' && !isForeign(part.name, toolbox);
