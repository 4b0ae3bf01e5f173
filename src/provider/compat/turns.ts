import { isObject } from '../../json/value.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  Format,
  Message,
  ResultPart,
  TextPart,
  TurnRequest,
  UserMessage,
} from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import type { Fitting } from './schema/state.ts';

/** Request fields that refer to a conversation stored by the provider. */
const elsewhere = ['previous_response_id', 'conversation', 'cachedContent'];

/**
 * Makes each call have exactly one result, directly after the assistant message. Results without a call become text.
 * Hosted services reject anything else. Valid turns stay unchanged.
 */
export function fitTurns(
  { messages, passthrough }: Pick<TurnRequest, 'messages' | 'passthrough'>,
  target: LoweringTarget,
  changes: Fitting[],
  knows: (format: Format) => boolean = (format) => usesFormat(target, format),
): readonly Message[] {
  if (target === 'plain' || elsewhere.some((field) => passthrough?.fields[field])) return messages;
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

/** Whether each call has one result before any other content, and each result has a call. */
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

/** Gives each call of a turn exactly one result directly after it, and converts other results to text. */
function settleTurn(turn: Turn, tell: (what: string, kind?: Fitting['kind']) => void): readonly Message[] {
  const [first, ...more] = turn.answers;
  if (more.length > 0) tell('consecutive assistant messages are sent as one');
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
      tell(`the result of ${JSON.stringify(part.callId)} belongs to no call before it; sent as user text`);
      return asWords(part);
    });
    return parts.length > 0 ? [{ ...message, parts }] : [];
  });
  for (const { to, name } of open) {
    if (name === undefined) continue;
    tell(`the call ${JSON.stringify(to)} has no result; sent with an error result`);
    results.push({ type: 'result', callId: to, name, content: [unanswered], isError: true });
  }
  const answers = first ? [joined(first, more, named)] : [];
  if (results.length === 0) return [...answers, ...heard];
  tell('results are sent in one message, right after their calls');
  return [...answers, { role: 'user', parts: results }, ...heard];
}

const unanswered: TextPart = { type: 'text', text: 'Error: this call has no result.' };

/** Gives each call of a turn a unique id. */
function ownIds(calls: readonly CallPart[]): ReadonlyMap<AssistantPart, string> {
  const seen = new Set<string>();
  const named = new Map<AssistantPart, string>();
  for (const call of calls) {
    // The same in every request of a conversation, so that servers can reuse prompts.
    let id = call.id;
    for (let copy = 2; seen.has(id); copy += 1) id = `${call.id}_${copy}`;
    seen.add(id);
    named.set(call, id);
  }
  return named;
}

/** Index of the first match, or the length of the list. */
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

/** Converts a result to user text, and keeps its other content. */
function asWords({ name, content }: ResultPart): UserMessage['parts'] {
  const head = name ? `The result of an earlier call to ${name}:` : 'The result of an earlier call:';
  const said = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  return [{ type: 'text', text: [head, ...said].join('\n') }, ...content.filter(({ type }) => type !== 'text')];
}

/** One or more consecutive assistant messages, and the messages up to the next one. */
interface Turn {
  readonly messages: readonly Message[];
  readonly answers: readonly AssistantMessage[];
  readonly heard: readonly Exclude<Message, AssistantMessage>[];
  readonly calls: readonly CallPart[];
  /** Ids of provider-specific calls that may have results too. */
  readonly others: readonly string[];
}

/** The turn that starts at an index. */
function turnAt(all: readonly Message[], from: number, knows: (format: Format) => boolean): Turn {
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

/** Whether a target's provider uses an API format. */
export const usesFormat = (target: LoweringTarget, format: Format): boolean =>
  format.startsWith(target.split('-')[0] ?? target);
