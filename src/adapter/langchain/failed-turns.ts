import { AIMessage, type BaseMessage } from '@langchain/core/messages';

/** The turns at the end of a conversation that held no valid call. */
export interface FailedTurns {
  readonly count: number;
  /** The tool that all of them were about, where it was one. */
  readonly tool?: string;
}

/** Counts the last turns of which every call was refused. */
export function failedTurns(messages: readonly BaseMessage[]): FailedTurns {
  let count = 0;
  const tools = new Set<string>();
  for (const message of [...messages].reverse()) {
    if (message.type === 'tool') continue;
    if (!AIMessage.isInstance(message) || !isFailed(message)) break;
    count += 1;
    for (const { name } of message.tool_calls ?? []) tools.add(name);
  }
  const [tool] = tools;
  return tools.size === 1 && tool !== undefined ? { count, tool } : { count };
}

function isFailed({ tool_calls: calls = [], invalid_tool_calls: invalid = [] }: AIMessage): boolean {
  const refused = new Set(invalid.map(({ id }) => id));
  return calls.length > 0 && calls.every(({ id }) => refused.has(id));
}
