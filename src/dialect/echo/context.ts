import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import type { Message, Part } from '../../model/index.ts';

/** A message before the response. */
export interface ContextMessage {
  /** `system` or `developer`, `user`, `tool`, `assistant` or `model`; others count as the user's. */
  readonly role: string;
  readonly content: string;
  /** The calls of an assistant message. */
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/**
 * A message in the chat format of any provider or SDK. Its content can be text, or blocks (`content`, `parts` or
 * `output`), whose text under any key is compared. Without a role, it counts as the user's.
 */
export interface ProviderMessage {
  readonly role?: string | undefined;
  readonly content?: unknown;
  readonly parts?: unknown;
  readonly output?: unknown;
}

/** The conversation before a response. A function is called only if the response contains a call. */
export type CallContext =
  | readonly (ContextMessage | ProviderMessage)[]
  | (() => readonly (ContextMessage | ProviderMessage)[]);

/**
 * The messages of a conversation with their content as text.
 *
 * @throws ToolmendError if something else than messages is in it
 */
export function messagesIn(context: CallContext | undefined): readonly ContextMessage[] {
  const given: unknown = typeof context === 'function' ? context() : context;
  const messages = contextFrom(given);
  checkArgument(messages !== undefined, 'context', 'a list of messages such as {role, content}', given);
  return messages as ContextMessage[];
}

/** The user's last message, which is the task of a response. */
export const taskIn = (context: CallContext | undefined): string =>
  messagesIn(context).findLast(({ role }) => role === 'user')?.content ?? '';

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
  if (/result|output(?!_text)/i.test(String(block.type ?? ''))) return [jsonOf(block)];
  const held = brought.flatMap((key) => block[key] ?? []);
  return held.length > 0 ? [jsonOf(held)] : [];
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
  if (part.type !== 'media') return [];
  // The title and the context of a document, which its sender writes too.
  const about = [part.name, part.passthrough?.fields.context].filter((one) => typeof one === 'string');
  if (!('data' in part.source) || !/^text\/|json|xml/.test(part.mediaType)) return about;
  try {
    return [...about, new TextDecoder().decode(Uint8Array.from(atob(part.source.data), (char) => char.charCodeAt(0)))];
  } catch {
    return [...about, part.source.data];
  }
}

/**
 * Reads a conversation from a caller: messages in any provider's chat format, strings (which count as the user's), or
 * one string. Undefined if it is something else.
 */
export function contextFrom(given: unknown): ContextMessage[] | undefined {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  const read = list.map((one) =>
    typeof one === 'string'
      ? [{ role: 'user', content: one }]
      : typeof one === 'object' && one !== null
        ? messageFrom(one as Record<string, unknown>)
        : undefined,
  );
  return read.every((one) => one !== undefined) ? read.flat() : undefined;
}

function messageFrom(message: Record<string, unknown>): ContextMessage[] {
  const { role, content, parts, output, calls: own, tool_calls: sent, ...rest } = message;
  const said = content ?? parts ?? output;
  const isModel = role === 'assistant' || role === 'model' || role === 'ai';
  const blocks = isModel && Array.isArray(said) ? said : [];
  const calls = [own, sent].flatMap((made) => (Array.isArray(made) ? made.flatMap(callOf) : []));
  const heard = blocks.flatMap(resultsIn).map((text): ContextMessage => ({ role: 'tool', content: text }));
  const from = String(role ?? (content === undefined && output !== undefined ? 'tool' : 'user'));
  const more = isModel ? [] : Object.entries(rest).flatMap(([key, value]) => (labels.has(key) ? [] : textsIn(value)));
  const texts = [...textsIn(said), ...more].filter(Boolean);
  const shown = { role: from, content: texts.join('\n'), ...(calls.length > 0 && { calls }) };
  // A call may span the blocks.
  const joined = texts.length > 1 && !isModel ? [{ role: from, content: texts.join('') }] : [];
  return [...heard, ...joined, shown];
}

/** Keys that identify a message and contain none of its text. */
const labels: ReadonlySet<string> = new Set(['name', 'id', 'type', 'status', 'tool_call_id', 'tool_use_id', 'call_id']);

function callOf(given: unknown): { name: string; arguments: unknown }[] {
  const { function: called, ...flat } = (given ?? {}) as Record<string, unknown>;
  const { name, arguments: args, input } = (called ?? flat) as Record<string, unknown>;
  return typeof name === 'string' ? [{ name, arguments: args ?? input }] : [];
}

/** Limits for what a content contains. A conversation beyond them can't be compared. */
const mostDepth = 200;
const mostValues = 1_000_000;

/**
 * The texts of a content in any block format: the text of a block, and of any other block its JSON and every text under
 * any of its keys, which may itself contain escapes.
 */
function textsIn(content: unknown): string[] {
  const texts: string[] = [];
  let values = 0;
  const visit = (value: unknown, depth: number, isJson: boolean): void => {
    values += 1;
    if (depth > mostDepth || values > mostValues) throw tooLarge();
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) for (const one of value) visit(one, depth + 1, isJson);
    else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
      const isText = entries.every(([key, one]) => key === 'type' || (key === 'text' && typeof one === 'string'));
      if (!isText && !isJson) texts.push(jsonOf(value));
      for (const [key, one] of entries) if (!isText || key === 'text') visit(one, depth + 1, true);
    }
  };
  visit(content, 0, false);
  return texts;
}

/** A block as JSON. */
function jsonOf(block: object): string {
  try {
    return JSON.stringify(block) ?? '';
  } catch {
    throw tooLarge();
  }
}

const tooLarge = (): ToolmendError =>
  new ToolmendError(
    'invalid_option',
    `Invalid context: expected messages that are JSON with at most ${mostDepth} levels. Pass their text as 'content'.`,
  );
