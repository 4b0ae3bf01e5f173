import { nudge } from '../../call/nudge.ts';
import { isNameable } from '../../provider/is-nameable.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Prompt, PromptMessage } from './sdk-types.ts';

/**
 * A history without calls that name nothing, which no provider takes back, and without their results. Where such a call was all
 * there was, the model is told so.
 */
export function withoutNameless(prompt: Prompt, toolbox: Toolbox): Prompt {
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
export const isAnswer = (part: { readonly type: string; readonly text?: string }): boolean =>
  part.type === 'text' ? part.text?.trim() !== '' : !part.type.startsWith('reasoning') && part.type !== 'source';
