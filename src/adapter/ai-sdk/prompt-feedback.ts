import { isObject } from '../../json/value.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import { mendedArguments } from '../../provider/wire/arguments.ts';
import { isNameable } from '../../provider/wire/turn-assembler.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import type { CallOptions, Prompt, PromptCall, PromptMessage, PromptPart, PromptResult } from './options.ts';
import { type CallAnnotation, place } from './outgoing-call.ts';
import type { VisibleTools } from './visible-tools.ts';

/** How the SDK's own words for calls it refused begin. */
const dump =
  /^(?:AI_\w+: )?(?:Invalid input for tool |Model tried to call unavailable tool |Error repairing tool call: )/;

/** A question with our words, in place of the SDK's, for the calls of its history that could not be mended. */
export function promptFeedback(params: CallOptions, { toolbox, options, isOurs }: VisibleTools): CallOptions {
  const prompt = withoutNameless(params.prompt, toolbox);
  const carried = carriedIn(prompt, isOurs);
  if (carried.size === 0) return prompt === params.prompt ? params : { ...params, prompt };
  const told = pastFeedback(pastCalls(prompt, carried), toolbox, options.policy);
  const tell = (part: PromptPart): PromptPart => {
    const known = 'toolCallId' in part ? carried.get(part.toolCallId) : undefined;
    if (!known) return part;
    if (part.type === 'tool-call') return bare({ ...part, input: mendedArguments(known.input ?? part.input).object });
    if (part.type !== 'tool-result') return part;
    if (known.note !== undefined) return bare({ ...part, output: noted(part.output, known.note) });
    const text = part.output.type.startsWith('error-') ? told.get(part.toolCallId) : undefined;
    return bare(text === undefined ? part : { ...part, output: { type: 'error-text', value: text } });
  };
  return { ...params, prompt: prompt.map((message) => withParts(message, tell)) };
}

/** What calls carry with them, by their ids; nothing of those that the SDK alone refused, or whose arguments are no object. */
function carriedIn(prompt: Prompt, isOurs: VisibleTools['isOurs']): Map<string, CallAnnotation> {
  const carried = new Map<string, CallAnnotation>();
  for (const message of prompt) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call' && isOurs(part)) {
        const own = part.providerOptions?.[place];
        if (isObject(own)) carried.set(part.toolCallId, own);
        else if (!isObject(part.input)) carried.set(part.toolCallId, {});
      } else if (part.type === 'tool-result' && isOurs(part) && isDump(part) && !carried.has(part.toolCallId)) {
        carried.set(part.toolCallId, {});
      }
    }
  }
  return carried;
}

const isDump = ({ output }: PromptResult): boolean => output.type === 'error-text' && dump.test(output.value);

/** All calls of the history: good ones too, since a good call ends a row of failures. */
function pastCalls(prompt: Prompt, carried: ReadonlyMap<string, CallAnnotation>): PastCall[] {
  return prompt.flatMap((message, turn) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return [];
      const { input = part.input, finish, found } = carried.get(part.toolCallId) ?? {};
      const known = { ...(finish && { finish }), ...(found && { found }) };
      return [{ id: part.toolCallId, name: part.toolName, arguments: input, turn, ...known }];
    });
  });
}

/** A part without what it carried for us: no provider is to see it. */
function bare<P extends PromptCall | PromptResult>(part: P): P {
  const { providerOptions: { [place]: _, ...others } = {}, ...rest } = part;
  return { ...rest, ...(Object.keys(others).length > 0 && { providerOptions: others }) } as P;
}

function withParts(message: PromptMessage, tell: (part: PromptPart) => PromptPart): PromptMessage {
  if (message.role !== 'assistant' && message.role !== 'tool') return message;
  // A part stays of its kind, and so in a message that may hold it.
  return { ...message, content: (message.content as PromptPart[]).map(tell) } as PromptMessage;
}

type Output = PromptResult['output'];

/** A result with a note beside it: what was dropped of the call, which the model would otherwise believe was heeded. */
function noted(output: Output, note: string): Output {
  const words = `Note: ${note}`;
  if (output.type === 'execution-denied') return output;
  if (output.type === 'content') return { ...output, value: [...output.value, { type: 'text', text: words }] };
  const isError = output.type === 'error-text' || output.type === 'error-json';
  const said = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return { ...output, type: isError ? 'error-text' : 'text', value: `${said}\n${words}` };
}

/**
 * A history without calls that name nothing, which no provider takes back, and without their results. Where such a call was all
 * there was, the model is told so.
 */
function withoutNameless(prompt: Prompt, toolbox: Toolbox): Prompt {
  const nameless = new Set(
    prompt.flatMap((message) => {
      if (message.role !== 'assistant') return [];
      return message.content.flatMap((part) =>
        part.type === 'tool-call' && !isNameable(part.toolName) ? [part.toolCallId] : [],
      );
    }),
  );
  if (nameless.size === 0) return prompt;
  const stays = (part: { readonly toolCallId?: string; readonly type: string }): boolean =>
    part.toolCallId === undefined || !nameless.has(part.toolCallId);
  return prompt.flatMap((message): PromptMessage[] => {
    if (message.role === 'assistant') {
      const content = message.content.filter(stays);
      return content.some(({ type }) => type !== 'reasoning') ? [{ ...message, content }] : [];
    }
    if (message.role !== 'tool') return [message];
    const content = message.content.filter(stays);
    if (content.length > 0) return [{ ...message, content }];
    const text = nudge(toolbox.list().map(({ name }) => name));
    return [{ role: 'user', content: [{ type: 'text', text }] }];
  });
}

/** Whether a part of an answer says or does something; a thought alone does not. */
export const hasContent = (part: { readonly type: string; readonly text?: string }): boolean =>
  part.type === 'text' ? part.text?.trim() !== '' : !part.type.startsWith('reasoning') && part.type !== 'source';
