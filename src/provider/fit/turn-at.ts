import { isObject } from '../../json/value.ts';
import type { AssistantMessage, CallPart, Format, Message } from '../../turn/turn.ts';
import type { LoweringTarget } from './lowering-target.ts';

/** An answer, or several without a word between them, and all that was said until the next. */
export interface Turn {
  readonly messages: readonly Message[];
  readonly answers: readonly AssistantMessage[];
  readonly heard: readonly Exclude<Message, AssistantMessage>[];
  readonly calls: readonly CallPart[];
  /** Ids of what else may be answered: calls that this provider knows, and the middle shape does not. */
  readonly others: readonly string[];
}

/** The turn that begins at a place. */
export function turnAt(all: readonly Message[], from: number, knows: (format: Format) => boolean): Turn {
  const answers: AssistantMessage[] = [];
  const heard: Exclude<Message, AssistantMessage>[] = [];
  for (let at = from; at < all.length; at += 1) {
    const message = all[at] as Message;
    if (message.role !== 'assistant') heard.push(message);
    else if (heard.length === 0) answers.push(message);
    else break;
  }
  const parts = answers.flatMap((answer) => answer.parts);
  return {
    messages: [...answers, ...heard],
    answers,
    heard,
    calls: parts.filter((part) => part.type === 'call'),
    others: parts.flatMap((part) => {
      if (part.type !== 'opaque' || !knows(part.format) || !isObject(part.value)) return [];
      return [part.value.call_id, part.value.id].filter((id) => typeof id === 'string');
    }),
  };
}

/** Whether a target's provider speaks a wire. */
export const speaks = (target: LoweringTarget, format: Format): boolean =>
  format.startsWith(target.split('-')[0] ?? target);
