import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { PastCall } from '../tell-past.ts';
import { markOf } from './mark.ts';
import { callsOf } from './read-message.ts';

/** The calls of a conversation as the model wrote them. */
export function pastCalls(messages: readonly BaseMessage[]): PastCall[] {
  return messages.flatMap((message, turn) =>
    AIMessage.isInstance(message)
      ? callsOf(message).map((call, at, { length }) => {
          const finish = at === length - 1 ? markOf(message)?.finish : undefined;
          return { ...call, turn, ...(finish && { finish }) };
        })
      : [],
  );
}
