import { mayHoldCalls } from '../dialect/may-hold-calls.ts';
import { rescue } from '../provider/client/rescue.ts';
import { rawCallText } from '../provider/raw-call-text.ts';
import { bareAnswer, callsInWords } from '../provider/text/calls-in-words.ts';
import type { TurnResponse } from '../turn/turn.ts';
import type { TurnExchange } from './exchange.ts';

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
