import type { Format, Message, TurnRequest } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { settleTurn } from './settle-turn.ts';
import { speaks, type Turn, turnAt } from './turn-at.ts';

/** Fields of a request by which the provider knows more of the conversation than it is sent. */
const elsewhere = ['previous_response_id', 'conversation', 'cachedContent'];

/**
 * A conversation in which every call is answered once, right after the answer that made it, and nothing else is answered:
 * the services refuse any other, and local servers do not mind. What stands so already stays as it is.
 */
export function fitTurns(
  { messages, extra }: Pick<TurnRequest, 'messages' | 'extra'>,
  target: LoweringTarget,
  changes: Fitting[],
  knows: (format: Format) => boolean = (format) => speaks(target, format),
): readonly Message[] {
  if (target === 'plain' || elsewhere.some((field) => extra?.fields[field])) return messages;
  const fitted: Message[] = [];
  let touched = false;
  for (let at = 0; at < messages.length; ) {
    const turn = turnAt(messages, at, knows);
    const where = `messages.${at}`;
    const sound = isSound(turn);
    touched ||= !sound;
    fitted.push(
      ...(sound ? turn.messages : settleTurn(turn, (what, kind = 'rewritten') => changes.push({ where, what, kind }))),
    );
    at += turn.messages.length;
  }
  return touched ? fitted : messages;
}

/** Whether each call is answered once, before anything else is said, and nothing else is answered. */
function isSound({ answers, heard, calls, others }: Turn): boolean {
  if (answers.length > 1 && calls.length > 0) return false;
  const open = new Set([...calls.map(({ id }) => id), ...others]);
  if (new Set(calls.map(({ id }) => id)).size < calls.length) return false;
  let words = false;
  for (const [at, { parts }] of heard.entries()) {
    for (const part of parts) {
      if (part.type !== 'result') words = true;
      else if (words || at > 0 || !open.delete(part.callId)) return false;
    }
  }
  return calls.every(({ id }) => !open.has(id));
}
