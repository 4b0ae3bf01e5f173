import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { runEnds } from '../../log/events.ts';
import { mendParts } from '../../mend/mend-call.ts';
import type { Policy } from '../../tools/tool.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import { marked, markOf } from './annotation.ts';
import type { BoundTools } from './bound-tools.ts';
import { callsOf, invalidCallOf, readMessage, refusedCall, toolCallOf } from './mend-message.ts';
import { messageContext } from './message-context.ts';
import type { ModelMessage } from './message-fields.ts';
import { rewriteCalls } from './rewrite-content.ts';

/** How calls are refused. */
interface RefuseOptions {
  readonly policy?: Policy | undefined;
  /** Number of turns without a valid call after which the run ends. */
  readonly turns: number;
}

/**
 * Adds the invalid calls of a mended response to the conversation: the framework passes them to its tools, where each
 * gets its feedback as result. Otherwise the run would end.
 */
export function refuseCalls(
  message: ModelMessage,
  history: readonly BaseMessage[],
  { toolbox, isForeign }: BoundTools,
  { policy, turns }: RefuseOptions,
): ModelMessage {
  const response = readMessage(message, isForeign);
  const { calls } = mendParts(response, { toolbox, policy, before: () => messageContext(history) });
  const bad = calls.filter(({ outcome }) => outcome.status === 'invalid');
  if (bad.length === 0) return message;
  const turn = history.length;
  const now = calls.map(({ part, outcome: { raw } }): PastCall => {
    const { finishReason: finish } = raw;
    return { ...part, turn, ...(finish && { finish }) };
  });
  const told = pastFeedback([...pastCalls(history), ...now], toolbox, policy);
  const refused = bad.map((call) => refusedCall(call, toolbox, told.get(call.part.id)));
  const foreign = (message.tool_calls ?? []).filter(isForeign);
  const ends = bad.length === calls.length && foreign.length === 0 && failedTurns(history).count + 1 >= turns;
  const tool_calls = ends ? [] : [...foreign, ...calls.map(toolCallOf)];
  const gone = new Set(ends ? calls.map(({ part }) => part.id) : []);
  const rest = rewriteCalls(message, tool_calls, gone);
  const { id, name, usage_metadata } = message;
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    ...rest,
    response_metadata: marked(rest.response_metadata, { ...markOf(message), refused, finish: response.finish }),
    // The caller reads the last message, so it says why the run ends.
    ...(ends && { content: [message.text, `${runEnds.invalid_calls}.`].filter(Boolean).join('\n\n') }),
    tool_calls,
    invalid_tool_calls: bad.map((call, at) => invalidCallOf(call, refused[at]?.error)),
  });
}

/** The calls of a conversation as written by the model. */
function pastCalls(messages: readonly BaseMessage[]): PastCall[] {
  return messages.flatMap((message, turn) =>
    AIMessage.isInstance(message)
      ? callsOf(message).map((call, at, { length }) => {
          const finish = at === length - 1 ? markOf(message)?.finish : undefined;
          return { ...call, turn, ...(finish && { finish }) };
        })
      : [],
  );
}

/** The last turns of a conversation without a valid call. */
interface FailedTurns {
  readonly count: number;
  /** The tool of all of them, if it was the same. */
  readonly tool?: string;
}

/** Counts the last turns whose calls were all refused. */
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
