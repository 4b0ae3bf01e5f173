import type { AgentInputItem, AgentOutputItem, ModelRequest } from '@openai/agents-core';
import { type CorrectedCall, portableCall, resultItems, withBadCalls } from './history.ts';
import { isAction, isCall } from './items.ts';

/** What was answered, and what the model is to be told of it. */
export interface Correction {
  readonly output: AgentOutputItem[];
  /** With the bad calls in it. */
  readonly said: AgentOutputItem[];
  readonly told: readonly CorrectedCall[];
  /** The provider's id of the answer. */
  readonly id?: string | undefined;
}

/** Bad calls that a provider which keeps the conversation has to be told of yet, by the place where it keeps it. */
export type Owed = Map<string, readonly CorrectedCall[]>;

/** A conversation that goes on: with the same question asked once more, or with the next one. */
export interface Conversation {
  readonly request: ModelRequest;
  /** The model has read it, so that nothing of it has to be told again. */
  answered(): void;
  /** The request that tells of bad calls at once. */
  again(request: ModelRequest, answer: Correction): ModelRequest;
  /** The answer's items for the SDK; the bad calls are told with the next request. */
  later(answer: Correction): AgentOutputItem[];
}

const mostOwed = 1000;

/** The conversation of a request: sent whole with every request, unless the provider keeps it. */
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
      // A conversation goes on at the same place; an answer may be gone on from more than once.
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
