import { mayContainCalls } from '../../dialect/read-calls.ts';
import type { TurnResponse } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { bareResponse, callsInText } from '../../provider/text-calls/text-calls.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import type { TurnExchange } from '../request/exchange.ts';

/** A response, and the dialect of the calls in its text. */
export interface TextCalls {
  readonly response: TurnResponse;
  readonly dialect?: string;
}

/** Adds calls that aren't native: those in the text, or in output that the server couldn't parse. */
export function textCalls({ reads, toolbox, question, allows }: TurnExchange, response: TurnResponse): TextCalls {
  if (reads === undefined) return { response };
  const saved = rawCallText(response) === undefined ? undefined : rescueCall(response, question(), allows);
  if (saved) return { response: { ...bareResponse(response), ...saved } };
  const found = callsInText(response, toolbox, reads);
  return found && mayContainCalls(question()) && found.calls.every(({ name }) => allows(name)) ? found : { response };
}
