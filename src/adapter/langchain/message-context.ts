import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { type ContextMessage, resultsIn } from '../../dialect/echo/context.ts';
import type { MendOptions } from '../mend-turn.ts';
import { kindOf } from './message-fields.ts';

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', tool: 'tool', system: 'system' };

/** Converts a conversation to the form that calls are compared with. */
export const messageContext = (messages: readonly BaseMessage[]): ContextMessage[] =>
  messages.flatMap((message): ContextMessage[] => {
    const { content } = message;
    const type = kindOf(message) ?? '';
    const blocks = type === 'ai' && Array.isArray(content) ? content : [];
    const heard = blocks.flatMap(resultsIn).map((text): ContextMessage => ({ role: 'tool', content: text }));
    const calls =
      type === 'ai'
        ? ((message as AIMessage).tool_calls ?? []).map(({ name, args }) => ({ name, arguments: args }))
        : [];
    const said = {
      role: roles[type] ?? 'user',
      // Results can contain any blocks, whose text counts.
      content: typeof content === 'string' ? content : `${message.text}\n${JSON.stringify(content)}`,
      ...(calls.length > 0 && { calls }),
    };
    return [...heard, said];
  });

/** Options for one request: text isn't searched for calls if none is allowed or the output is JSON. */
export function optionsFor<O extends MendOptions>(options: O, ...asked: readonly unknown[]): O {
  const wordsAreWords = asked.some((one) => {
    const said = (one ?? {}) as Record<string, unknown>;
    const choice = said.tool_choice ?? said.toolChoice;
    if (typeOf(choice) === 'none') return true;
    const forms = [said.response_format, said.responseFormat, said.format, said.output_format, said.outputFormat];
    const config = (said.generationConfig ?? said) as Record<string, unknown>;
    const mime = config.responseMimeType ?? said.response_mime_type;
    return (
      forms.some((form) => form !== undefined && form !== null && form !== '' && typeOf(form) !== 'text') ||
      (typeof mime === 'string' && mime !== 'text/plain') ||
      config.responseSchema !== undefined
    );
  });
  return wordsAreWords ? { ...options, dialect: 'native' } : options;
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : value;
