import { callsOutsideText } from '../../dialect/call/calls-outside-text.ts';
import { areMentioned } from '../../dialect/call/check-call.ts';
import { mayContainCalls } from '../../dialect/read-calls.ts';
import { type MendedParts, mendParts, splitCalls } from '../../mend/mend-call.ts';
import type { TurnResponse } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { bareResponse, callsInText } from '../../provider/text-calls/text-calls.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { beforeOf } from '../request/repair-history.ts';

/** A response, and the dialect of the calls in its text. */
export interface TextCalls {
  readonly response: TurnResponse;
  readonly dialect?: string;
}

/**
 * Separates merged calls, and adds calls that aren't native: those in the text, or in output that the server couldn't
 * parse.
 */
export function textCalls(
  { reads, toolbox, question, allows, upstream }: TurnExchange,
  received: TurnResponse,
): TextCalls {
  const response = splitCalls(received, toolbox, upstream.policy);
  if (reads === undefined) return { response };
  const saved = rawCallText(response) === undefined ? undefined : rescueCall(response, question(), allows);
  if (saved) return { response: { ...bareResponse(response), ...saved } };
  const found = callsInText(response, toolbox, reads) ?? callsOutsideText(response, toolbox, reads);
  return found && mayContainCalls(question()) && found.calls.every(({ name }) => allows(name)) ? found : { response };
}

/** Mends another choice of a response in the same way as the first, except that its calls aren't retried. */
export function mendChoice(exchange: TurnExchange, read: TurnResponse): MendedParts {
  const { toolbox, upstream } = exchange;
  const { response } = textCalls(exchange, read);
  const mended = mendParts(response, { toolbox, policy: upstream.policy, before: beforeOf(exchange) });
  // Text that only mentions its calls stays as it is.
  if (response !== read && areMentioned(mended.calls.map(({ outcome }) => outcome)))
    return { ...mended, response: read, changed: false };
  return { ...mended, changed: mended.changed || response !== read };
}
