import { equal, type JsonValue } from '../json/value.ts';
import type { RawCall } from '../model/index.ts';
import { findTool } from '../tools/find-tool.ts';
import type { Policy } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';
import type { Outcome } from './outcome.ts';

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
