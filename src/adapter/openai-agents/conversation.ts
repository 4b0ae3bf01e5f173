import type { AgentInputItem, AgentOutputItem, ModelRequest } from '@openai/agents-core';
import { type CorrectedCall, portableCall, resultItems, withBadCalls } from './history.ts';
import { isAction, isCall } from './items.ts';

/** A response, and the feedback for it. */
export interface Correction {
  readonly output: AgentOutputItem[];
  /** Including the bad calls. */
  readonly said: AgentOutputItem[];
  readonly told: readonly CorrectedCall[];
  /** The provider's id of the response. */
  readonly id?: string | undefined;
}

/** Bad calls that a provider with stored conversations must still be told about, by conversation. */
export type Owed = Map<string, readonly CorrectedCall[]>;

/** A conversation that continues with a retry or the next request. */
export interface Conversation {
  readonly request: ModelRequest;
  /** Called when the model has read the request, so that nothing is repeated. */
  answered(): void;
  /** The request for a retry with feedback. */
  again(request: ModelRequest, answer: Correction): ModelRequest;
  /** The items for the SDK. Bad calls are included in the next request. */
  later(answer: Correction): AgentOutputItem[];
}

const mostOwed = 1000;

/** The conversation of a request: sent completely each time, or stored by the provider. */
export function conversationOf(request: ModelRequest, items: AgentInputItem[], owed: Owed): Conversation {
  const { conversationId, previousResponseId } = request;
  const place = conversationId ?? previousResponseId;
  return place === undefined ? sentWhole({ ...request, input: items }) : keptAt(place, request, items, owed);
}

const sentWhole = (request: ModelRequest): Conversation => ({
  request,
  answered() {},
  again: (before, { said, told }) => ({
    ...before,
    input: [
      ...(before.input as AgentInputItem[]),
      ...said.map((item) => (isCall(item) ? portableCall(item) : item)),
      ...resultItems(told),
    ],
  }),
  later({ output, told }) {
    const last = output.findLastIndex(isAction);
    return output.map((item, at) => (at === last ? withBadCalls(item, told) : item));
  },
});

function keptAt(place: string, request: ModelRequest, items: AgentInputItem[], owed: Owed): Conversation {
  const { conversationId } = request;
  const before = resultItems(owed.get(place) ?? []);
  return {
    request: { ...request, input: [...before, ...items] },
    answered() {
      // A conversation continues in one place, but a response can be continued several times.
      if (conversationId !== undefined) owed.delete(place);
    },
    again: (asked, { told, id }) => ({
      ...asked,
      ...(conversationId === undefined && id !== undefined && { previousResponseId: id }),
      input: resultItems(told),
    }),
    later({ output, told, id }) {
      if (owed.size >= mostOwed) owed.delete(owed.keys().next().value as string);
      owed.set(conversationId ?? id ?? place, told);
      return output;
    },
  };
}
