import { mayHoldCalls } from '../../dialect/placement/may-hold-calls.ts';
import type { TurnResponse } from '../../model/index.ts';
import { rescue } from '../../provider/client/rescue-call.ts';
import { bareAnswer, callsInWords } from '../../provider/text-calls/text-calls.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import type { TurnExchange } from '../request/exchange.ts';

/** An answer, and the dialect of the calls that were found in its words. */
export interface FoundCalls {
  readonly response: TurnResponse;
  readonly dialect?: string;
}

/** An answer with the calls that its wire does not show as such: in its words, or in what its server could not read. */
export function foundCalls({ reads, toolbox, question }: TurnExchange, response: TurnResponse): FoundCalls {
  if (reads === undefined) return { response };
  const saved = rawCallText(response) === undefined ? undefined : rescue(response, question());
  if (saved) return { response: { ...bareAnswer(response), ...saved } };
  const found = callsInWords(response, toolbox, reads);
  return found && mayHoldCalls(question()) ? found : { response };
}
