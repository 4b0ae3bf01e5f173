import type { ContextMessage } from '../../dialect/echo/context.ts';
import type { Prompt, PromptMessage } from './options.ts';

/** The conversation of a question, as far as the calls of its answer are compared with it. */
export const promptContext = (prompt: Prompt): ContextMessage[] => prompt.map(messageOf);

function messageOf({ role, content }: PromptMessage): ContextMessage {
  if (typeof content === 'string') return { role, content };
  const texts: string[] = [];
  const calls: { name: string; arguments: unknown }[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'tool-call') calls.push({ name: part.toolName, arguments: part.input });
    else if (part.type === 'tool-result') texts.push(...textsOf(part.output));
  }
  return { role, content: texts.join('\n'), ...(calls.length > 0 && { calls }) };
}

/** The words of a result, those in its JSON too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(textsOf);
  return 'type' in value && value.type === 'json' ? [...inner, JSON.stringify(value)] : inner;
}
