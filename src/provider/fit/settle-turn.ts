import type { AssistantMessage, Message, ResultPart, TextPart, UserMessage } from '../../turn/turn.ts';
import type { Fitting } from './fitting.ts';
import type { Turn } from './turn-at.ts';

/** The turn with each of its calls answered once, right after it was made, and with nothing else answered. */
export function settleTurn(turn: Turn, tell: (what: string, kind?: Fitting['kind']) => void): readonly Message[] {
  const [first, ...more] = turn.answers;
  const answers = first && more.length > 0 ? [joined(first, more)] : turn.answers;
  if (more.length > 0) tell('answers without a word between them are sent as one');
  const open = new Set([...turn.calls.map(({ id }) => id), ...turn.others]);
  const results: ResultPart[] = [];
  const heard = turn.heard.flatMap((message): Message[] => {
    if (message.role === 'system') return [message];
    const parts = message.parts.flatMap((part): UserMessage['parts'] => {
      if (part.type !== 'result') return [part];
      if (open.delete(part.callId)) {
        results.push(part);
        return [];
      }
      tell(`the result of ${JSON.stringify(part.callId)} answers no call before it; it is sent as a person's words`);
      return asWords(part);
    });
    return parts.length > 0 ? [{ ...message, parts }] : [];
  });
  for (const { id, name } of turn.calls) {
    if (!open.delete(id)) continue;
    tell(`the call ${JSON.stringify(id)} was never answered; it is answered that there is no result`);
    results.push({ type: 'result', callId: id, name, content: [unanswered], isError: true });
  }
  if (results.length === 0) return [...answers, ...heard];
  tell('results are sent in one message, right after their calls');
  return [...answers, { role: 'user', parts: results }, ...heard];
}

const unanswered: TextPart = { type: 'text', text: 'Error: there is no result of this call.' };

const joined = (first: AssistantMessage, more: readonly AssistantMessage[]): AssistantMessage => ({
  ...first,
  parts: [first, ...more].flatMap(({ parts }) => parts),
});

const asWords = ({ name, content }: ResultPart): UserMessage['parts'] => [
  { type: 'text', text: name ? `The result of an earlier call of ${name}:` : 'The result of an earlier call:' },
  ...content,
];
