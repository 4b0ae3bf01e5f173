import type { Question, TurnEvent, TurnFailed, TurnResponse } from '../../turn/turn.ts';
import { eventsOf } from '../events-of.ts';
import { failedTurn } from '../failed-turn.ts';
import type { Fitted } from '../fit/fit.ts';
import { rawCallText } from '../raw-call-text.ts';
import { aborted, ask } from './ask.ts';
import { pause } from './pause.ts';
import { prepare, type Settings } from './prepare.ts';
import { redact } from './redact.ts';
import { rescue } from './rescue.ts';
import { retryDelay } from './retry-delay.ts';

/** Answers a question: asks, and asks again where that may help, but never once a part of an answer has come. */
export async function* answer(settings: Settings, question: Question, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { retry, options, secrets } = settings;
  const ready = prepare(settings, question);
  if ('kind' in ready) return yield failedTurn(ready);
  for (let tries = 0; ; tries += 1) {
    const failure = yield* untilOutput(ask(ready.asking, signal), ready.undo, secrets);
    if (!failure) return;
    const saved = rescue(failure.error, question);
    if (saved) return yield* eventsOf(saved);
    const wait = retryDelay(failure.error, tries, retry);
    if (wait === undefined) return yield failure;
    options.onRetry?.({ error: failure.error, wait, tries: tries + 1 });
    if (!(await pause(wait, signal))) return yield failedTurn(aborted);
  }
}

/** How many events are held back while nothing of the answer has come; a server that says more than that has begun. */
const mostHeld = 100;

/** Passes on what comes; a turn that fails before its first part is returned, so that it can be asked for again. */
async function* untilOutput(
  events: AsyncIterable<TurnEvent>,
  undo: Fitted['undoEvent'],
  secrets: readonly string[],
): AsyncGenerator<TurnEvent, TurnFailed | undefined> {
  let held: TurnEvent[] | undefined = [];
  for await (const came of events) {
    const said = undo(came);
    const event = said.type === 'turn.failed' ? { ...said, error: redact(said.error, secrets) } : said;
    if (held && event.type === 'turn.failed') return event;
    if (held && event.type === 'turn.finished' && rawCallText(event.response) !== undefined)
      return unread(event.response);
    if (held && held.length < mostHeld && (event.type === 'turn.started' || event.type === 'wire.unknown')) {
      held.push(event);
      continue;
    }
    if (held) yield* held;
    held = undefined;
    yield event;
  }
  return undefined;
}

/** An answer that ended because the service could not read the model's call. */
const unread = (response: TurnResponse): TurnFailed => ({
  type: 'turn.failed',
  error: {
    kind: 'protocol',
    message: "The service could not read its model's call",
    retryable: true,
    ...(response.extra && { extra: response.extra }),
  },
  response: { ...response, finish: 'error' },
});
