import { isObject } from '../../json/value.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import { mendedArguments } from '../../provider/wire/arguments.ts';
import { isNameable } from '../../provider/wire/turn-assembler.ts';
import { offeredTools, type Toolbox } from '../../tools/toolbox.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import type { CallOptions, Prompt, PromptCall, PromptMessage, PromptPart, PromptResult } from './options.ts';
import { type CallAnnotation, place } from './outgoing-call.ts';
import type { VisibleTools } from './visible-tools.ts';

/** The start of the SDK's own error messages for refused calls. */
const dump =
  /^(?:AI_\w+: )?(?:Invalid input for tool |Model tried to call unavailable tool |Error repairing tool call: )/;

/** Replaces the SDK's messages about refused calls in the history with our feedback. */
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

/** The annotations of calls by id, except for those that only the SDK refused or whose arguments aren't an object. */
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

/** All calls of the history, including valid ones, which end a series of failures. */
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

/** A part without our annotation, which providers must not see. */
function bare<P extends PromptCall | PromptResult>(part: P): P {
  const { providerOptions: { [place]: _, ...others } = {}, ...rest } = part;
  return { ...rest, ...(Object.keys(others).length > 0 && { providerOptions: others }) } as P;
}

function withParts(message: PromptMessage, tell: (part: PromptPart) => PromptPart): PromptMessage {
  if (message.role !== 'assistant' && message.role !== 'tool') return message;
  // A part keeps its type, so the message is still valid.
  return { ...message, content: (message.content as PromptPart[]).map(tell) } as PromptMessage;
}

type Output = PromptResult['output'];

/** Adds a note to a result about what was dropped, so that the model doesn't assume it was used. */
function noted(output: Output, note: string): Output {
  const words = `Note: ${note}`;
  if (output.type === 'execution-denied') return output;
  if (output.type === 'content') return { ...output, value: [...output.value, { type: 'text', text: words }] };
  const isError = output.type === 'error-text' || output.type === 'error-json';
  const said = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return { ...output, type: isError ? 'error-text' : 'text', value: `${said}\n${words}` };
}

/**
 * Removes calls without a name, which providers reject, and their results. If there was nothing else, the model is
 * told.
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
    const text = nudge(offeredTools(toolbox).map(({ name }) => name));
    return [{ role: 'user', content: [{ type: 'text', text }] }];
  });
}

/** Whether a part has content other than reasoning. */
export const hasContent = (part: { readonly type: string; readonly text?: string }): boolean =>
  part.type === 'text' ? part.text?.trim() !== '' : !part.type.startsWith('reasoning') && part.type !== 'source';
