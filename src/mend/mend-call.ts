import type { AssistantPart, CallPart, TurnResponse, WrittenFinishReason } from '../model/index.ts';
import type { Policy } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import type { Outcome } from './outcome.ts';
import { type Before, mendRepeated } from './repeated-call.ts';

/** A call of an answer, judged: as it goes out, and what was found. */
export interface CheckedCall {
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
): CheckedCall {
  const { type: _, ...written } = part;
  const outcome = mendRepeated({ ...written, finishReason: finish }, toolsFor(part.name, toolbox), policy, before);
  if (outcome.status !== 'mended') return { part, changed: false, outcome };
  const { name, input } = outcome;
  const value = typeof part.arguments === 'string' ? JSON.stringify(input) : input;
  return { part: { ...part, name, arguments: value }, changed: true, outcome };
}

/** Whether a call is wrong, so that its model is to be told. A call to a tool that only the provider knows is not judged. */
export const isBadCall = ({ part, outcome }: CheckedCall, toolbox: Toolbox): boolean =>
  outcome.status === 'invalid' && !isForeign(part.name, toolbox);

/** An answer with its calls mended. */
export interface MendedParts {
  readonly response: TurnResponse;
  /** Something in it is other than it came. */
  readonly changed: boolean;
  readonly calls: readonly CheckedCall[];
}

/** How the calls of an answer are judged. */
interface MendPartsOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Change nothing, and only report. */
  readonly dryRun?: boolean;
  /** The conversation before the answer. */
  readonly before?: Before | undefined;
}

/** Mends the calls of a whole answer. */
export function mendParts(
  response: TurnResponse,
  { toolbox, policy, dryRun = false, before }: MendPartsOptions,
): MendedParts {
  const calls: CheckedCall[] = [];
  const last = response.message.parts.findLastIndex(({ type }) => type === 'call');
  const parts = response.message.parts.map((part, index): AssistantPart => {
    if (part.type !== 'call') return part;
    const judged = mendCall(part, toolbox, policy, index === last ? response.finish : undefined, before);
    calls.push(judged);
    return dryRun ? part : judged.part;
  });
  const changed = !dryRun && calls.some((call) => call.changed);
  return { response: changed ? { ...response, message: { ...response.message, parts } } : response, changed, calls };
}

const named = new WeakMap<Toolbox, ReadonlySet<string>>();
const none = new Toolbox();

/** Notes the names of tools that a request offers beside its toolbox, whose schemas only their provider knows. */
export const setForeign = (toolbox: Toolbox, names: Iterable<string>): unknown => named.set(toolbox, new Set(names));

/** Whether a name is exactly that of such a tool: nothing can be said of a call to it, least of all that it meant another. */
export const isForeign = (name: string, toolbox: Toolbox): boolean => named.get(toolbox)?.has(name) === true;

/** The tools among which a name is looked up. */
export const toolsFor = (name: string, toolbox: Toolbox): Toolbox => (isForeign(name, toolbox) ? none : toolbox);
