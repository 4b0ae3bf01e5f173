import type { Problem } from '../../json/problem.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { mend } from '../../mend/mend.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { RawCall } from '../../model/index.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { isBlank, isTypesOnly } from '../placement/template.ts';
import { isPlainCall } from './call-shape.ts';

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
  return check(wrong.length > 0 ? { ...raw, found: wrong } : raw, toolbox);
}

/** Checks a call again with more information. */
export const recheckCall = (
  { raw }: Outcome,
  more: Pick<RawCall, 'found' | 'read'>,
  toolbox: Toolbox | undefined,
): Outcome => check({ ...raw, ...more }, toolbox);

/** The problem of a call whose arguments only show its form. */
export const onlyShape: Problem = {
  path: [],
  code: 'mentioned',
  message: 'Root object contains only placeholders or the names of types; send the values themselves',
};

/** Whether all arguments stand for others, whatever else is wrong with them. A tool has to be known to need values. */
const isShape = ({ input, tool }: Outcome): boolean =>
  tool !== undefined && (isTypesOnly(input, tool.schema.json, tool.effect === 'read') || isBlank(input));

/**
 * Whether calls are refused for their place in the text or as examples, so that the text only mentions them. It then
 * keeps them as written.
 */
export const areMentioned = (calls: readonly Pick<Outcome, 'status' | 'problems'>[]): boolean =>
  calls.length > 0 &&
  calls.every(({ status, problems }) => status === 'invalid' && problems.some(({ code }) => code === 'mentioned'));

/** The problem of a call of a tool without declared fields whose arguments are the call itself: it may have any. */
const ownWrapper: Problem = {
  path: [],
  code: 'ambiguous',
  message: 'Root object is a call of the same tool inside the call; send its arguments only',
};

/** Whether arguments that no field describes are a call of their own tool. */
const isOwnWrapper = ({ input, tool }: Outcome): boolean =>
  isPlainCall(input as JsonValue) &&
  Object.keys(propertiesOf(tool?.schema.json)).length === 0 &&
  [input, (input as JsonObject).function].some(
    (one) => isObject(one) && Object.values(one).includes(tool?.name as string),
  );

/** A call that is refused only for the text around it has the input and repairs that it would run with. */
function check(raw: RawCall, tools: Toolbox | undefined): Outcome {
  const toolbox = tools ?? anyTool(raw.name);
  const outcome = mend(raw, toolbox);
  if (tools && (raw.found ?? []).every(isAround) && isShape(outcome)) {
    const refused = mend({ ...raw, found: [onlyShape] }, toolbox);
    // A doubt about one field, such as a type without quotes, comes first there.
    return refused.status === 'invalid' ? { ...refused, problems: [onlyShape] } : refused;
  }
  if (outcome.status !== 'invalid' && isOwnWrapper(outcome)) return mend({ ...raw, found: [ownWrapper] }, toolbox);
  if (outcome.problems.length === 0 || outcome.problems !== raw.found || !outcome.problems.every(isAround))
    return outcome;
  const { found: _, ...call } = raw;
  const made = mend(call, toolbox);
  return made.status === 'invalid' ? outcome : { ...outcome, input: made.input, repairs: made.repairs };
}

const isAround = ({ code, path }: Problem): boolean =>
  (code === 'ambiguous' || code === 'mentioned') && path.length === 0;

/** A toolbox with a tool of this name that accepts any arguments. */
const anyTool = (name: string): Toolbox => new Toolbox([tool({ name, description: '' })], { validate: false });

/**
 * The problems of a call whose object lacks a closer. It may be missing inside the arguments as well, so these must
 * have one reading without their last one, too.
 */
export function closerProblems(name: string, given: unknown, toolbox: Toolbox | undefined): readonly Problem[] {
  const text = (typeof given === 'string' ? given : (JSON.stringify(given) ?? '')).trim();
  const open = text.slice(0, -1).trimEnd();
  if (!toolbox || !text.startsWith('{') || !text.endsWith('}') || open === '{') return [];
  return mend({ name, arguments: `${open.endsWith(',') ? open.slice(0, -1) : open} ` }, toolbox).problems;
}

/** The problem of a call that the text ends in. */
export const truncatedCall: Problem = {
  path: [],
  code: 'truncated',
  message: 'Root object is cut off: the text ends before the call is complete',
};
