import { readTolerant } from '../json/read-json.ts';
import { markAt } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import {
  equal,
  type JsonValue,
  keepLiterals,
  oddNumber,
  parseJson,
  stringifyJson,
  textAsWritten,
} from '../json/value.ts';
import type { AssistantPart, CallPart, RawCall, TurnResponse, WrittenFinishReason } from '../model/index.ts';
import { findTool } from '../tools/find-tool.ts';
import type { Policy } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';
import type { Outcome } from './outcome.ts';
import { splitCall } from './split-call.ts';

/** A checked call of a response. */
export interface CheckedCall {
  /** The call to pass on: mended, or unchanged if it can't be mended. */
  readonly part: CallPart;
  readonly changed: boolean;
  readonly outcome: Outcome;
  /** Number of retries after which it replaced a bad call. */
  readonly retried?: number;
}

/** Checks a call with the request's tools. A call that can't be mended stays unchanged. */
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
  const { name, input, repairs } = outcome;
  const isText = typeof part.arguments === 'string';
  const text = isText ? (part.arguments as string) : textAsWritten(part.arguments);
  // Damaged text is read again for this, which few calls need. Escaped text may contain any number.
  if (text !== undefined && (oddNumber.test(text) || text.includes('\\u'))) keepNumbers(text, input, repairs);
  const value = isText ? stringifyJson(input) : input;
  return { part: { ...part, name, arguments: value }, changed: true, outcome };
}

/** Lets the numbers of mended arguments be written as the model wrote them. */
export const keepNumbers = (text: string, input: unknown, repairs: readonly Repair[] = []): void =>
  keepLiterals(
    originalOf(text),
    input,
    !repairs.some(({ after }) => typeof after === 'number'),
    (container, key) => markAt(container, key)?.literal,
  );

/** The arguments as written. An object may be encoded as text, also more than once. */
function originalOf(text: string, levels = 3): JsonValue | undefined {
  let value: JsonValue | undefined;
  try {
    value = parseJson(text);
  } catch {
    value = readTolerant(text, { want: 'object' }).value;
  }
  return typeof value === 'string' && levels > 0 ? originalOf(value, levels - 1) : value;
}

/** Whether a call is invalid, so that the model should get feedback. Calls of provider tools aren't checked. */
export const isBadCall = ({ part, outcome }: CheckedCall, toolbox: Toolbox): boolean =>
  outcome.status === 'invalid' && !isForeign(part.name, toolbox);

/** A response with mended calls. */
export interface MendedParts {
  readonly response: TurnResponse;
  /** Whether anything was changed. */
  readonly changed: boolean;
  readonly calls: readonly CheckedCall[];
}

/** How the calls of a response are checked. */
interface MendPartsOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Change nothing, and only report. */
  readonly dryRun?: boolean;
  /** The conversation before the response. */
  readonly before?: Before | undefined;
}

/** Mends the calls of a complete response. */
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

/** The end of an object right before the start of another, as in merged calls and in lists. */
const side = /\}\s{0,99},?\s{0,99}\{/;

/** The calls that a server merged into one; undefined if it is a single call. */
export const mergedCalls = (part: CallPart, toolbox: Toolbox, policy?: Policy): readonly CallPart[] | undefined =>
  typeof part.arguments === 'string' && side.test(part.arguments) ? splitCall(part, toolbox, policy) : undefined;

/** Splits all merged calls of a response. */
export function splitCalls(response: TurnResponse, toolbox: Toolbox, policy?: Policy): TurnResponse {
  const { parts } = response.message;
  const split = parts.flatMap((part): readonly AssistantPart[] =>
    part.type === 'call' ? (mergedCalls(part, toolbox, policy) ?? [part]) : [part],
  );
  return split.length === parts.length ? response : { ...response, message: { ...response.message, parts: split } };
}

const named = new WeakMap<Toolbox, ReadonlySet<string>>();
const none = new Toolbox();

/** Records the names of tools outside of the toolbox, whose schemas only their provider knows. */
export const setForeign = (toolbox: Toolbox, names: Iterable<string>): unknown => named.set(toolbox, new Set(names));

/** Whether a name is exactly that of such a tool. Calls of it can't be checked, nor resolved to another tool. */
export const isForeign = (name: string, toolbox: Toolbox): boolean => named.get(toolbox)?.has(name) === true;

/** The tools to look a name up in. */
export const toolsFor = (name: string, toolbox: Toolbox): Toolbox => (isForeign(name, toolbox) ? none : toolbox);

/** A message before a call. */
export interface MessageBefore {
  readonly role: string;
  readonly content: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The conversation before a call. A function is called only if the call may be a repetition. */
export type Before = readonly MessageBefore[] | (() => readonly MessageBefore[]);

/** The conversation before its last message with calls. */
export const beforeCalls = (said: readonly MessageBefore[]): readonly MessageBefore[] =>
  said.slice(
    0,
    said.findLastIndex(({ calls }) => calls?.length),
  );

/** The last call of each tool, for callers without a conversation. One per client or run. */
export class LastCalls {
  readonly #said = new Map<string, readonly MessageBefore[]>();

  readonly before = (): readonly MessageBefore[] => [...this.#said.values()].flat();

  note(call: { readonly name: string; readonly arguments: unknown }, outcome: Outcome): void {
    const { name } = outcome;
    const content = refusalsOf(outcome).join('\n');
    this.#said.delete(name);
    // Only a refusal can be confirmed by repeating the call. Unknown names aren't stored, because there may be any
    // number.
    if (content)
      this.#said.set(name, [
        { role: 'assistant', content: '', calls: [call] },
        { role: 'tool', content },
      ]);
  }
}

/**
 * `mend()` with a conversation: a call that was refused for doubtful values and is repeated unchanged in the next
 * attempt is accepted. Stateless, so that conversations don't affect each other.
 */
export function mendRepeated(raw: RawCall, toolbox: Toolbox, policy?: Policy, before?: Before): Outcome {
  const outcome = mend(raw, toolbox, policy);
  if (before === undefined || refusalsOf(outcome).length === 0) return outcome;
  const said = typeof before === 'function' ? before() : before;
  return isRepeat(outcome, said, toolbox) ? mend({ ...raw, repeated: true }, toolbox, policy) : outcome;
}

/** The messages for values that look doubtful. */
const refusalsOf = ({ problems }: Outcome): string[] =>
  problems.filter(({ code }) => code === 'residue').map(({ message }) => message);

/** Letters and digits only, because a message may be quoted, escaped or wrapped when it returns. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Whether the last message with a call of this tool made the same call, and it was refused for doubtful values. */
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
