import { checkArgument, isObject } from '../../json/value.ts';
import type { Message } from '../../model/index.ts';
import { isHistory } from '../check-history.ts';

/** Options of `trimMessages`. */
export interface TrimOptions {
  /** Tokens that the messages may have. */
  readonly maxTokens: number;
  /**
   * Counts the tokens of a message.
   * @default a quarter of the characters of its JSON
   */
  readonly countTokens?: (message: Message) => number;
  /**
   * Whether to keep the first user message, which usually describes the task.
   * @default true
   */
  readonly keepFirst?: boolean;
}

const charactersPerToken = 4;
const estimate = ({ parts }: Message): number => Math.ceil(JSON.stringify(parts).length / charactersPerToken);

/**
 * Drops the oldest messages, so that the others fit into a number of tokens. A call is never separated from its result,
 * and the last message stays, with the calls of its results, even if it alone is too long.
 *
 * @example
 * agent({ model, prepareStep: ({ messages }) => ({ messages: trimMessages(messages, { maxTokens: 8000 }) }) })
 */
export function trimMessages(messages: readonly Message[], options: TrimOptions): Message[] {
  checkArgument(isHistory(messages), 'messages', 'a list of messages', messages);
  checkArgument(isObject(options) && options.maxTokens > 0, 'options', '{ maxTokens }', options);
  const { maxTokens, countTokens = estimate, keepFirst = true } = options;
  const groups = groupsOf(messages);
  const tokens = groups.map((group) => group.reduce((sum, message) => sum + countTokens(message), 0));
  const first = keepFirst ? groups.findIndex(isQuestion) : -1;
  let left = maxTokens - (tokens[first] ?? 0);
  let from = groups.length;
  while (from > 0 && (from === groups.length || (tokens[from - 1] ?? 0) <= left || from - 1 === first)) {
    from -= 1;
    if (from !== first) left -= tokens[from] ?? 0;
  }
  if (from === 0) return [...messages];
  // Providers expect a conversation to start with a user message.
  if (first < 0 || first >= from) {
    const start = groups.findIndex((group, index) => index >= from && isQuestion(group));
    const before = groups.findLastIndex((group, index) => index < from && isQuestion(group));
    return start >= 0 ? groups.slice(start).flat() : [...(groups[before] ?? []), ...groups.slice(from).flat()];
  }
  return [...(groups[first] ?? []), ...groups.slice(from).flat()];
}

const isQuestion = ([first]: readonly Message[]): boolean =>
  first?.role === 'user' && !first.parts.some(({ type }) => type === 'result');

/** Messages that belong together: calls, and the messages until all of them have results. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  const open = new Set<string>();
  for (const message of messages) {
    const last = open.size > 0 || hasResults(message) ? groups.at(-1) : undefined;
    if (last) last.push(message);
    else groups.push([message]);
    for (const part of message.parts) {
      if (part.type === 'call') open.add(part.id);
      if (part.type === 'result') open.delete(part.callId);
    }
  }
  return groups;
}

const hasResults = ({ parts }: Message): boolean => parts.some(({ type }) => type === 'result');
