import { equal, type JsonValue } from '../json/value.ts';
import type { AssistantPart, CallPart, RawCall, TurnResponse, WrittenFinishReason } from '../model/index.ts';
import { findTool } from '../tools/find-tool.ts';
import type { Policy } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';
import type { Outcome } from './outcome.ts';

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

/** A message that stands before a call. */
export interface MessageBefore {
  readonly role: string;
  readonly content: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The conversation before a call; a function is asked only where the call may repeat one. */
export type Before = readonly MessageBefore[] | (() => readonly MessageBefore[]);

/** The conversation before its last message that called anything. */
export const beforeCalls = (said: readonly MessageBefore[]): readonly MessageBefore[] =>
  said.slice(
    0,
    said.findLastIndex(({ calls }) => calls?.length),
  );

/** The last call of each tool, for an entrance that is shown no conversation: one for each client or run. */
export class LastCalls {
  readonly #said = new Map<string, readonly MessageBefore[]>();

  readonly before = (): readonly MessageBefore[] => [...this.#said.values()].flat();

  note(call: { readonly name: string; readonly arguments: unknown }, outcome: Outcome): void {
    const { name } = outcome;
    const content = refusalsOf(outcome).join('\n');
    this.#said.delete(name);
    // Only a refusal can be answered by the same call; of names that no tool has there may be any number.
    if (content)
      this.#said.set(name, [
        { role: 'assistant', content: '', calls: [call] },
        { role: 'tool', content },
      ]);
  }
}

/**
 * `mend()` for an entrance that knows the conversation: a call that was refused for what its values look like, and is sent
 * again unchanged in the next try, is meant as it stands. Nothing is remembered here, so that no conversation hears of another.
 */
export function mendRepeated(raw: RawCall, toolbox: Toolbox, policy?: Policy, before?: Before): Outcome {
  const outcome = mend(raw, toolbox, policy);
  if (before === undefined || refusalsOf(outcome).length === 0) return outcome;
  const said = typeof before === 'function' ? before() : before;
  return isRepeat(outcome, said, toolbox) ? mend({ ...raw, repeated: true }, toolbox, policy) : outcome;
}

/** What the model reads where a call is refused for its looks. */
const refusalsOf = ({ problems }: Outcome): string[] =>
  problems.filter(({ code }) => code === 'residue').map(({ message }) => message);

/** Letters and digits alone, because a message may be quoted, escaped or wrapped on its way back. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Did the last message that called the tool make this very call, and was the model told that it is refused for its looks? */
function isRepeat({ name, input }: Outcome, said: readonly MessageBefore[], toolbox: Toolbox): boolean {
  const isSame = (called: string): boolean => findTool(called, toolbox).tool?.name === name;
  const at = said.findLastIndex(({ calls }) => calls?.some((call) => isSame(call.name)));
  for (const call of said[at]?.calls ?? []) {
    if (!isSame(call.name)) continue;
    const earlier = mend(call, toolbox);
    if (!equal(earlier.input as JsonValue, input as JsonValue)) continue;
    const told = refusalsOf(earlier).map(lettersOf);
    const isTold = ({ role, content }: MessageBefore): boolean =>
      role !== 'assistant' && told.some((words) => lettersOf(content).includes(words));
    if (told.length && said.slice(at + 1).some(isTold)) return true;
  }
  return false;
}
