import { isObject } from '../../json/value.ts';
import type { Message, Part } from '../../model/index.ts';

/** A message that stands before the answer. */
export interface ContextMessage {
  /** `system` or `developer`, `user`, `tool`, `assistant` or `model`; any other counts as the user's. */
  readonly role: string;
  readonly content: string;
  /** The calls that an assistant's message made. */
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The conversation before an answer; a function is asked only where the answer holds a call. */
export type CallContext = readonly ContextMessage[] | (() => readonly ContextMessage[]);

/** A conversation of the middle shape, as far as the calls of its next answer are compared with it. */
export function contextOf(messages: readonly Message[]): ContextMessage[] {
  return messages.flatMap(({ role, parts }): ContextMessage[] => {
    const all: readonly Part[] = parts;
    const calls = all.flatMap((part) => (part.type === 'call' ? [part] : []));
    const said = { role, content: textOf(all), ...(calls.length > 0 && { calls }) };
    const results = all.flatMap((part) =>
      part.type === 'result' ? textsOf(part.content) : part.type === 'opaque' ? resultsIn(part.value) : [],
    );
    const heard = results.map((content): ContextMessage => ({ role: 'tool', content }));
    return said.content === '' && calls.length === 0 ? heard : [...heard, said];
  });
}

const brought = ['output', 'outputs', 'result', 'results', 'codeExecutionResult', 'functionResponse'] as const;

/** What a block of an assistant's message holds that its model did not write: what tools gave back which its provider ran. */
export function resultsIn(block: unknown): string[] {
  if (!isObject(block)) return [];
  if (/result|output(?!_text)/i.test(String(block.type ?? ''))) return [JSON.stringify(block)];
  const held = brought.flatMap((key) => block[key] ?? []);
  return held.length > 0 ? [JSON.stringify(held)] : [];
}

const textOf = (parts: readonly Part[]): string => parts.flatMap((part) => wordsIn(part)).join('\n');

/** The words of a result; once more without the breaks between its parts, since a call may stand across them. */
function textsOf(parts: readonly Part[]): string[] {
  const words = parts.flatMap((part) => wordsIn(part));
  return words.length > 1 ? [words.join('\n'), words.join('')] : words;
}

/** The words of a part: of a document that is text too, and of what the middle shape has no word for. */
function wordsIn(part: Part): string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'opaque') return [JSON.stringify(part.value)];
  if (part.type !== 'media' || !('data' in part.source) || !/^text\/|json|xml/.test(part.mediaType)) return [];
  try {
    return [new TextDecoder().decode(Uint8Array.from(atob(part.source.data), (char) => char.charCodeAt(0)))];
  } catch {
    return [part.source.data];
  }
}

/**
 * A conversation as a caller gave it: messages of any provider's chat form, plain strings (which count as the user's), or one
 * string; nothing where it is none of these.
 */
export function contextFrom(given: unknown): ContextMessage[] | undefined {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  const read = list.map((one): ContextMessage[] | undefined => {
    if (typeof one === 'string') return [{ role: 'user', content: one }];
    if (typeof one !== 'object' || one === null) return undefined;
    const { role, content, parts, output, tool_calls: made } = one as Record<string, unknown>;
    const calls = Array.isArray(made) ? made.flatMap(callOf) : [];
    const said = content ?? parts ?? output;
    const blocks = role === 'assistant' || role === 'model' ? (Array.isArray(said) ? said : []) : [];
    const heard = blocks.flatMap(resultsIn).map((text): ContextMessage => ({ role: 'tool', content: text }));
    const from = role ?? (content === undefined && output !== undefined ? 'tool' : 'user');
    return [...heard, { role: String(from), content: wordsOf(said), ...(calls.length > 0 && { calls }) }];
  });
  return read.every((one) => one !== undefined) ? read.flat() : undefined;
}

function callOf(given: unknown): { name: string; arguments: unknown }[] {
  const { function: called, ...flat } = (given ?? {}) as Record<string, unknown>;
  const { name, arguments: args, input } = (called ?? flat) as Record<string, unknown>;
  return typeof name === 'string' ? [{ name, arguments: args ?? input }] : [];
}

/** The words of a content, whatever blocks it is made of: what can't be told apart is compared as it is written. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((block) => {
      const { text, content: inner } = (block ?? {}) as Record<string, unknown>;
      return typeof block === 'string'
        ? block
        : typeof text === 'string'
          ? text
          : wordsOf(inner ?? JSON.stringify(block));
    })
    .join('\n');
}
