import type { ContextMessage } from '../../dialect/echo/context.ts';
import type { Prompt, PromptMessage } from './options.ts';

/** Converts a prompt to the form that calls are compared with. */
export const promptContext = (prompt: Prompt): ContextMessage[] => prompt.flatMap(messagesOf);

function messagesOf({ role, content }: PromptMessage): ContextMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const heard: string[] = [];
  const texts: string[] = [];
  const calls: { name: string; arguments: unknown }[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'tool-call') calls.push({ name: part.toolName, arguments: part.input });
    else if (part.type === 'tool-result') heard.push(...textsOf(part.output));
    else if (part.type === 'file') texts.push(...fileText(part));
  }
  // Results of provider tools in an assistant message weren't written by the model.
  const results = heard.length > 0 ? [{ role: 'tool', content: heard.join('\n') }] : [];
  const said = { role, content: texts.join('\n'), ...(calls.length > 0 && { calls }) };
  return said.content === '' && calls.length === 0 ? results : [...results, said];
}

/** The text of a text file. */
function fileText({ mediaType, data }: { readonly mediaType: string; readonly data: unknown }): string[] {
  if (!/^text\/|json|xml/.test(mediaType)) return [];
  if (data instanceof Uint8Array) return [new TextDecoder().decode(data)];
  if (typeof data !== 'string') return [];
  try {
    return [new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)))];
  } catch {
    return [data];
  }
}

/** The texts in a result, including those in its JSON. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(textsOf);
  return 'type' in value && value.type === 'json' ? [...inner, JSON.stringify(value)] : inner;
}
