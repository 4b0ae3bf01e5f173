import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { mendParts } from '../../call/mend-parts.ts';
import { runEnds } from '../../log/run-end.ts';
import type { Policy } from '../../tool/policy.ts';
import { type PastCall, tellPast } from '../tell-past.ts';
import type { Answer } from './answer.ts';
import type { BoundTools } from './bound-tools.ts';
import { failedTurns } from './failed-turns.ts';
import { marked, markOf } from './mark.ts';
import { messageContext } from './message-context.ts';
import { pastCalls } from './past-calls.ts';
import { readMessage } from './read-message.ts';
import { rewriteCalls } from './rewrite-calls.ts';
import { invalidCallOf, refusedCall, toolCallOf } from './write-message.ts';

/** How calls are refused. */
export interface RefuseOptions {
  readonly policy?: Policy | undefined;
  /** After so many turns without a valid call the run ends. */
  readonly turns: number;
}

/**
 * Makes the calls of a mended answer that are not to run part of the conversation: the framework takes them to its tools,
 * where each is answered with what stands beside it here. A call the framework never hears of would end the run.
 */
export function refuseCalls(
  message: Answer,
  history: readonly BaseMessage[],
  { toolbox, isForeign }: BoundTools,
  { policy, turns }: RefuseOptions,
): Answer {
  const response = readMessage(message, isForeign);
  const { calls } = mendParts(response, { toolbox, policy, before: () => messageContext(history) });
  const bad = calls.filter(({ outcome }) => outcome.status === 'invalid');
  if (bad.length === 0) return message;
  const turn = history.length;
  const now = calls.map(({ part, outcome: { raw } }): PastCall => {
    const { finishReason: finish } = raw;
    return { ...part, turn, ...(finish && { finish }) };
  });
  const told = tellPast([...pastCalls(history), ...now], toolbox, policy);
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
    // The last message is what a caller reads, so it says why nothing follows.
    ...(ends && { content: [message.text, `${runEnds.invalid_calls}.`].filter(Boolean).join('\n\n') }),
    tool_calls,
    invalid_tool_calls: bad.map((call, at) => invalidCallOf(call, refused[at]?.error)),
  });
}
