import type { AssistantPart, FinishReason, TextPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import { eventsOf } from '../wire/turn-assembler.ts';

/** What replaces the buffered text. */
export interface TextReplacement {
  /**
   * The remaining text.
   * @default all of it
   */
  readonly words?: string;
  /** The calls. */
  readonly calls: readonly AssistantPart[];
  /** Parts that started and never finished, if the turn failed. */
  readonly open?: Iterable<number>;
}

/**
 * Rewrites the last events of a turn, which have not been sent yet, so that calls in the text become parts.
 *
 * @param response the complete turn as received
 */
export function withCalls(
  waiting: readonly TurnEvent[],
  response: TurnResponse,
  { words, calls, open = [] }: TextReplacement,
): TurnEvent[] {
  const came = response.message.parts;
  const events = [...waiting, ...[...open].flatMap((index) => finished(index, came[index]))];
  const heard = came.length - events.filter(({ type }) => type === 'part.started').length;
  const parts: AssistantPart[] = [];
  const out: TurnEvent[] = [];
  let left = words ?? '';
  for (const [index, part] of came.entries()) {
    if (part.type !== 'text') {
      parts.push(part);
      continue;
    }
    const waits = index < heard ? waitingOf(events, index) : part.text.length;
    const more = waits === 0 ? '' : words === undefined ? part.text.slice(-waits) : left;
    if (waits > 0) left = '';
    const text = part.text.slice(0, part.text.length - waits) + more;
    // Omits empty text unless its part has already started.
    if (text !== '' || index < heard) parts.push(withText(part, text));
    if (index < heard && more !== '') out.push({ type: 'part.delta', index, text: more });
  }
  for (const event of events) {
    const ends = event.type === 'turn.finished' || event.type === 'turn.failed';
    if (!('index' in event)) {
      if (!ends) out.push(event);
    } else if (event.index < heard && event.type === 'part.finished')
      out.push({ ...event, part: parts[event.index] ?? event.part });
    else if (event.index < heard && came[event.index]?.type !== 'text') out.push(event);
  }
  const message = { ...response.message, parts: [...parts, ...(left ? [wordsPart(left)] : []), ...calls] };
  const finish = finishWith(response.finish, calls);
  const whole: TurnResponse = { ...response, message, finish };
  for (const event of eventsOf({ ...whole, message: { ...message, parts: message.parts.slice(heard) } })) {
    if ('index' in event) out.push({ ...event, index: event.index + heard });
  }
  return [...out, { type: 'turn.finished', response: whole }];
}

/** The finish reason of a response that ended with `finish`, and now has these parts. */
export const finishWith = (finish: FinishReason, parts: readonly AssistantPart[]): FinishReason =>
  finish !== 'stop' && finish !== 'tool_calls'
    ? finish
    : parts.some(({ type }) => type === 'call' || (type === 'opaque' && finish === 'tool_calls'))
      ? 'tool_calls'
      : 'stop';

/** A text part with other text, for which its signature isn't valid. */
function withText(part: TextPart, text: string): TextPart {
  const { signature: _, ...unsigned } = part;
  return text === part.text ? part : { ...unsigned, text };
}

const finished = (index: number, part?: AssistantPart): TurnEvent[] =>
  part ? [{ type: 'part.finished', index, part }] : [];

const wordsPart = (text: string): AssistantPart => ({ type: 'text', text });

/** Length of a part's text in these events. */
function waitingOf(events: readonly TurnEvent[], place: number): number {
  let length = 0;
  for (const event of events) if (event.type === 'part.delta' && event.index === place) length += event.text.length;
  return length;
}

/**
 * Rewrites the last events of a turn, which have not been sent yet, with the calls of another response.
 *
 * @param response the same turn with other calls in the same places
 */
export function withReplaced(events: readonly TurnEvent[], response: TurnResponse): TurnEvent[] {
  const replaced = new Set<number>();
  return events.flatMap((event): TurnEvent[] => {
    const isMended = event.type === 'turn.failed' && response.finish !== 'error';
    if (event.type === 'turn.finished' || isMended) return [{ type: 'turn.finished', response }];
    if (!('index' in event)) return [event];
    const { index } = event;
    const part = response.message.parts[index];
    if (event.type !== 'part.started') return replaced.has(index) ? [] : [event];
    if (event.part.type !== 'call' || !part) return [event];
    replaced.add(index);
    const whole = eventsOf({ message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' });
    return [...whole].flatMap((one) => ('index' in one ? [{ ...one, index }] : []));
  });
}
