import type { AssistantPart, TurnEvent, TurnResponse } from '../../model/index.ts';

/**
 * The events of an answer that is there already, as if it had streamed.
 *
 * @param chunk how many characters a piece of text has; all of it in one piece unless it is said
 */
export function* eventsOf(response: TurnResponse, chunk = Number.POSITIVE_INFINITY): Generator<TurnEvent> {
  const { id, model, message, dropped = [] } = response;
  yield { type: 'turn.started', ...(id !== undefined && { id }), ...(model !== undefined && { model }) };
  for (const [index, part] of message.parts.entries()) yield* partEvents(part, index, chunk);
  for (const call of dropped) yield { type: 'call.dropped', call };
  yield { type: 'turn.finished', response };
}

/** The events of one part: its text in pieces where it has text, else at once. */
function* partEvents(part: AssistantPart, index: number, chunk: number): Generator<TurnEvent> {
  const text = part.type === 'call' ? part.arguments : 'text' in part ? part.text : undefined;
  if (typeof text === 'string') {
    yield { type: 'part.started', index, part: emptied(part) };
    for (const piece of pieces(text, chunk)) yield { type: 'part.delta', index, text: piece };
  } else yield { type: 'part.started', index, part };
  yield { type: 'part.finished', index, part };
}

/** What is known of a part when it begins: not its words, and not the seal that comes after them. */
function emptied(part: AssistantPart): AssistantPart {
  if (part.type === 'call') return { ...part, arguments: '' };
  if (part.type !== 'reasoning' || part.hidden) return 'text' in part ? { ...part, text: '' } : part;
  const { seal: _, ...bare } = part;
  return { ...bare, text: '' };
}

function* pieces(text: string, chunk: number): Generator<string> {
  if (chunk >= text.length) {
    if (text !== '') yield text;
    return;
  }
  const size = Math.max(1, Math.floor(chunk));
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + size);
    // Half of a surrogate pair is no text that a wire could carry.
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
