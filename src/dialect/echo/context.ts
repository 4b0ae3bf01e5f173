import { isObject } from '../../json/value.ts';
import type { Message, Part } from '../../model/index.ts';

/** A message before the response. */
export interface ContextMessage {
  /** `system` or `developer`, `user`, `tool`, `assistant` or `model`; others count as the user's. */
  readonly role: string;
  readonly content: string;
  /** The calls of an assistant message. */
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The conversation before a response. A function is called only if the response contains a call. */
export type CallContext = readonly ContextMessage[] | (() => readonly ContextMessage[]);

/** The user's last message, which is the task of a response. */
export function taskIn(context: CallContext | undefined): string {
  const messages = typeof context === 'function' ? context() : (context ?? []);
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

/** Converts a conversation to the form that calls are compared with. */
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

/** Results in a block of an assistant message, from tools that the provider ran. */
export function resultsIn(block: unknown): string[] {
  if (!isObject(block)) return [];
  if (/result|output(?!_text)/i.test(String(block.type ?? ''))) return [JSON.stringify(block)];
  const held = brought.flatMap((key) => block[key] ?? []);
  return held.length > 0 ? [JSON.stringify(held)] : [];
}

const textOf = (parts: readonly Part[]): string => parts.flatMap((part) => wordsIn(part)).join('\n');

/** The text of a result, with and without line breaks between its parts, because a call may span them. */
function textsOf(parts: readonly Part[]): string[] {
  const words = parts.flatMap((part) => wordsIn(part));
  return words.length > 1 ? [words.join('\n'), words.join('')] : words;
}

/** The text of a part, including text documents and opaque parts. */
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
 * Reads a conversation from a caller: messages in any provider's chat format, strings (which count as the user's), or
 * one string. Undefined if it is something else.
 */
export function contextFrom(given: unknown): ContextMessage[] | undefined {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  const read = list.map((one): ContextMessage[] | undefined => {
    if (typeof one === 'string') return [{ role: 'user', content: one }];
    if (typeof one !== 'object' || one === null) return undefined;
    const { role, content, parts, output, tool_calls: made, ...rest } = one as Record<string, unknown>;
    const calls = Array.isArray(made) ? made.flatMap(callOf) : [];
    const said = content ?? parts ?? output;
    const isModel = role === 'assistant' || role === 'model';
    const blocks = isModel && Array.isArray(said) ? said : [];
    const heard = blocks.flatMap(resultsIn).map((text): ContextMessage => ({ role: 'tool', content: text }));
    const from = role ?? (content === undefined && output !== undefined ? 'tool' : 'user');
    const more = isModel ? [] : Object.entries(rest).flatMap(([key, value]) => (labels.has(key) ? [] : wordsOf(value)));
    const words = [wordsOf(said), ...more].filter(Boolean).join('\n');
    return [...heard, { role: String(from), content: words, ...(calls.length > 0 && { calls }) }];
  });
  return read.every((one) => one !== undefined) ? read.flat() : undefined;
}

/** Keys that identify a message and contain none of its text. */
const labels: ReadonlySet<string> = new Set(['name', 'id', 'type', 'status', 'tool_call_id', 'tool_use_id', 'call_id']);

function callOf(given: unknown): { name: string; arguments: unknown }[] {
  const { function: called, ...flat } = (given ?? {}) as Record<string, unknown>;
  const { name, arguments: args, input } = (called ?? flat) as Record<string, unknown>;
  return typeof name === 'string' ? [{ name, arguments: args ?? input }] : [];
}

/** The text of a content in any block format. Unknown blocks are compared as JSON. */
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
