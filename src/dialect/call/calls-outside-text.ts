import { allowsTextCalls } from '../../mend/finish-reason.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { AssistantPart, TurnResponse } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { ReadCallsOptions } from '../call-reader.ts';
import { readCalls } from '../read-calls.ts';
import { callParts } from './call-part.ts';

/** A response with the calls that a server put into its reasoning or refusal. */
export interface OutsideCalls {
  readonly response: TurnResponse;
  readonly calls: readonly Outcome[];
  readonly dialect: string;
}

/** Whether a part has words that the model says to the user, or is a call. */
const isSaid = (part: AssistantPart): boolean =>
  part.type !== 'reasoning' && part.type !== 'refusal' && (part.type !== 'text' || /\S/.test(part.text));

/** Whether the words of a part may be changed: what a provider has signed or hidden must not be. */
const isPlain = (part: AssistantPart): part is AssistantPart & { readonly text: string } =>
  (part.type === 'reasoning' && part.signature === undefined && !part.hidden) || part.type === 'refusal';

/**
 * Reads the calls at the end of the reasoning, or in a refusal, if the response is otherwise empty: some servers put them
 * there. Undefined if there are none, or if one of them is invalid.
 */
export function callsOutsideText(
  { message, finish, ...rest }: TurnResponse,
  toolbox: Toolbox,
  { prompted: _, ...options }: ReadCallsOptions,
): OutsideCalls | undefined {
  if (finish === 'length' || !allowsTextCalls(finish) || options.hosted || message.parts.some(isSaid)) return undefined;
  const type = message.parts.some((part) => part.type === 'refusal') ? 'refusal' : 'reasoning';
  const source = message.parts.filter((part) => part.type === type);
  if (source.length === 0 || !source.every(isPlain)) return undefined;
  const words = source.map(({ text }) => text).join('');
  const read = readCalls(words, toolbox, { ...options, reasoningOpen: type === 'reasoning' });
  const { calls, text, reasoning = '', dialect } = read;
  if (calls.length === 0 || /\S/.test(text) || calls.some(({ status }) => status === 'invalid')) return undefined;
  const [first] = source;
  const kept = message.parts.flatMap((part) =>
    part !== first
      ? source.includes(part as never)
        ? []
        : [part]
      : reasoning === ''
        ? []
        : [{ ...part, text: reasoning }],
  );
  const parts = [...kept.filter((part) => part.type !== 'text'), ...callParts(calls)] as AssistantPart[];
  return { response: { ...rest, message: { ...message, parts }, finish: 'tool_calls' }, calls, dialect };
}
