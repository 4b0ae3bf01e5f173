import type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  Message,
  ResultPart,
  TextPart,
  UserMessage,
} from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import type { Fitting } from './fitting.ts';
import type { Turn } from './turn-at.ts';

/** The turn with each of its calls answered once, right after it was made, and with nothing else answered. */
export function settleTurn(turn: Turn, tell: (what: string, kind?: Fitting['kind']) => void): readonly Message[] {
  const [first, ...more] = turn.answers;
  if (more.length > 0) tell('answers without a word between them are sent as one');
  const named = ownIds(turn.calls);
  const open = [
    ...turn.calls.map((call) => ({ from: call.id, to: named.get(call) ?? call.id, name: call.name })),
    ...turn.others.map((id) => ({ from: id, to: id, name: undefined })),
  ];
  const results: ResultPart[] = [];
  const heard = turn.heard.flatMap((message): Message[] => {
    if (message.role === 'system') return [message];
    const parts = message.parts.flatMap((part): UserMessage['parts'] => {
      if (part.type !== 'result') return [part];
      const [call] = open.splice(
        indexOr(open, ({ from }) => from === part.callId),
        1,
      );
      if (call) {
        results.push({ ...part, callId: call.to });
        return [];
      }
      tell(`the result of ${JSON.stringify(part.callId)} answers no call before it; it is sent as a person's words`);
      return asWords(part);
    });
    return parts.length > 0 ? [{ ...message, parts }] : [];
  });
  for (const { to, name } of open) {
    if (name === undefined) continue;
    tell(`the call ${JSON.stringify(to)} was never answered; it is answered that there is no result`);
    results.push({ type: 'result', callId: to, name, content: [unanswered], isError: true });
  }
  const answers = first ? [joined(first, more, named)] : [];
  if (results.length === 0) return [...answers, ...heard];
  tell('results are sent in one message, right after their calls');
  return [...answers, { role: 'user', parts: results }, ...heard];
}

const unanswered: TextPart = { type: 'text', text: 'Error: there is no result of this call.' };

/** An id of its own for every call of a turn. */
function ownIds(calls: readonly CallPart[]): ReadonlyMap<AssistantPart, string> {
  const seen = new Set<string>();
  const named = new Map<AssistantPart, string>();
  for (const call of calls) {
    const id = seen.has(call.id) ? makeId() : call.id;
    seen.add(id);
    named.set(call, id);
  }
  return named;
}

/** The place of the first that fits; behind the end where there is none. */
function indexOr<T>(list: readonly T[], fits: (one: T) => boolean): number {
  const place = list.findIndex(fits);
  return place < 0 ? list.length : place;
}

const joined = (
  first: AssistantMessage,
  more: readonly AssistantMessage[],
  named: ReadonlyMap<AssistantPart, string>,
): AssistantMessage => ({
  ...first,
  parts: [first, ...more]
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'call' ? { ...part, id: named.get(part) ?? part.id } : part)),
});

/** A result as a person's words; what is no text goes along. */
function asWords({ name, content }: ResultPart): UserMessage['parts'] {
  const head = name ? `The result of an earlier call of ${name}:` : 'The result of an earlier call:';
  const said = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  return [{ type: 'text', text: [head, ...said].join('\n') }, ...content.filter(({ type }) => type !== 'text')];
}
