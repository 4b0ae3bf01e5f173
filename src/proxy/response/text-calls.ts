import { mayContainCalls } from '../../dialect/read-calls.ts';
import type { TurnResponse } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { bareResponse, callsInText } from '../../provider/text-calls/text-calls.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import type { TurnExchange } from '../request/exchange.ts';

/** An answer, and the dialect of the calls that were found in its words. */
export interface TextCalls {
  readonly response: TurnResponse;
  readonly dialect?: string;
}

/** An answer with the calls that its wire does not show as such: in its words, or in what its server could not read. */
export function textCalls({ reads, toolbox, question }: TurnExchange, response: TurnResponse): TextCalls {
  if (reads === undefined) return { response };
  const saved = rawCallText(response) === undefined ? undefined : rescueCall(response, question());
  if (saved) return { response: { ...bareResponse(response), ...saved } };
  const found = callsInText(response, toolbox, reads);
  return found && mayContainCalls(question()) ? found : { response };
}
