import type { IncomingMessage } from 'node:http';
import { rescue } from '../provider/client/rescue.ts';
import { rawCallText } from '../provider/raw-call-text.ts';
import { takesNoTools } from '../provider/takes-no-tools.ts';
import { answerError, readRefusal } from './answer-error.ts';
import { answerStream } from './answer-stream.ts';
import { answerWhole } from './answer-whole.ts';
import type { TurnExchange } from './exchange.ts';
import { sendAnswer } from './send-answer.ts';

/** Answers a turn with what came of it. False: the upstream takes no tools for this model, and is to be asked otherwise. */
export async function answerTurn(exchange: TurnExchange, came: IncomingMessage): Promise<boolean> {
  if ((came.statusCode ?? 502) < 400) {
    const streamed = /event-stream|ndjson/.test(String(came.headers['content-type']));
    await (streamed ? answerStream : answerWhole)(exchange, came);
    return true;
  }
  const { upstream, modes, model, asks, reads, question } = exchange;
  const refusal = await readRefusal(exchange, came);
  const { error } = refusal;
  if (asks === undefined && takesNoTools(error) && modes.refused(upstream, model, error.message)) return false;
  const saved = reads === undefined || rawCallText(error) === undefined ? undefined : rescue(error, question());
  if (saved) sendAnswer(exchange, saved);
  else answerError(exchange, came, refusal);
  return true;
}
