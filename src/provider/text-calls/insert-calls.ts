import type { AssistantPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import { eventsOf } from '../wire/turn-assembler.ts';

/** What takes the place of the words that wait. */
export interface TextReplacement {
  /** What is left of them; all where it is not said. */
  readonly words?: string;
  /** Or what stands in the place of one. */
  readonly calls: readonly AssistantPart[];
  /** Parts that were begun and never ended, where the turn failed. */
  readonly open?: Iterable<number>;
}

/**
 * The last events of a turn, those that nobody has heard yet, with calls that stood in the words as parts of their own.
 *
 * @param response the turn as it came, whole
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
    // A text of which nothing is left is no part, unless it was begun.
    if (text !== '' || index < heard) parts.push({ ...part, text });
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
  const finish = response.finish === 'length' ? 'length' : 'tool_calls';
  const whole: TurnResponse = { ...response, message, finish };
  for (const event of eventsOf({ ...whole, message: { ...message, parts: message.parts.slice(heard) } })) {
    if ('index' in event) out.push({ ...event, index: event.index + heard });
  }
  return [...out, { type: 'turn.finished', response: whole }];
}

const finished = (index: number, part?: AssistantPart): TurnEvent[] =>
  part ? [{ type: 'part.finished', index, part }] : [];

const wordsPart = (text: string): AssistantPart => ({ type: 'text', text });

/** How much of a text came in these events. */
function waitingOf(events: readonly TurnEvent[], place: number): number {
  let length = 0;
  for (const event of events) if (event.type === 'part.delta' && event.index === place) length += event.text.length;
  return length;
}

/**
 * The last events of a turn, those that were not sent yet, with its calls as another response has them.
 *
 * @param response the turn with other calls in the places of those that came
 */
export function withReplaced(events: readonly TurnEvent[], response: TurnResponse): TurnEvent[] {
  const replaced = new Set<number>();
  return events.flatMap((event): TurnEvent[] => {
    if (event.type === 'turn.finished') return [{ ...event, response }];
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
