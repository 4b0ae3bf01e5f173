import type {
  AssistantMessage,
  Message,
  OpaquePart,
  Part,
  ResultPart,
  TextPart,
  UserMessage,
} from '../../model/index.ts';

/** Further rules of a chat template. */
export interface StrictTurnsOptions {
  /** Whether no text may follow the results of calls, so that it is added to the last one. */
  readonly joinsResults?: boolean | undefined;
  /** Whether there is no system role, so that its text starts the first user message. */
  readonly withoutSystem?: boolean | undefined;
}

/**
 * A conversation for strict chat templates: all system text is in one message at the start, and neighbours of one role
 * are one message. Valid conversations stay unchanged.
 */
export function strictTurns(messages: readonly Message[], options: StrictTurnsOptions = {}): readonly Message[] {
  if (!options.joinsResults && !options.withoutSystem && isStrict(messages)) return messages;
  const said = messages.filter((message) => message.role !== 'system');
  const system = messages.filter((message) => message.role === 'system');
  // Templates require a user message.
  const task = said.length === 0 ? system.pop() : undefined;
  const rest: Message[] = task ? [asUser(task.parts)] : joinNeighbours(said);
  const turns = options.joinsResults ? rest.map(joinResults) : rest;
  const head = systemMessage(system);
  if (!head) return turns;
  return options.withoutSystem ? inFirst(head.parts, turns) : [head, ...turns];
}

/** Whether the system text is one message at the start, if there is any, and roles alternate. */
const isStrict = (messages: readonly Message[]): boolean =>
  messages.some(({ role }) => role !== 'system') &&
  messages.every(
    (message, at) =>
      withoutRole(message) === message &&
      message.role !== messages[at - 1]?.role &&
      (at === 0 || message.role !== 'system'),
  );

const asUser = (parts: readonly (TextPart | OpaquePart)[]): UserMessage => ({ role: 'user', parts });

/** One message with all system text; a single one stays as it is. */
function systemMessage(
  system: readonly Extract<Message, { role: 'system' }>[],
): Extract<Message, { role: 'system' }> | undefined {
  const [first] = system;
  if (!first || system.length === 1) return first && withoutRole(first);
  return { role: 'system', parts: joinTexts(system.flatMap(({ parts }) => parts)) };
}

/** Templates only know the role `system`, and no `developer`. */
function withoutRole<M extends Message>(message: M): M {
  const { passthrough } = message;
  if (passthrough?.fields.role === undefined) return message;
  const { role: _, ...fields } = passthrough.fields;
  return { ...message, passthrough: { ...passthrough, fields } };
}

function joinNeighbours(messages: readonly (UserMessage | AssistantMessage)[]): Message[] {
  const joined: (UserMessage | AssistantMessage)[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.role !== message.role) {
      joined.push(message);
      continue;
    }
    const { passthrough, ...rest } = before;
    const parts = joinTexts<Part>([...before.parts, ...message.parts]);
    // Parts keep their types, so the message type is unchanged.
    joined[joined.length - 1] = {
      ...rest,
      ...(passthrough && hasFields(passthrough.fields) && { passthrough }),
      parts,
    } as UserMessage;
  }
  return joined;
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0;

/** Joins adjacent texts, if there is nothing but texts. */
function joinTexts<P extends Part>(parts: readonly P[]): readonly P[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length < parts.length || texts.length < 2) return parts;
  return [{ type: 'text', text: texts.join('\n\n') } as P];
}

/** Adds the text of a message to the last of its results. */
function joinResults(message: Message): Message {
  if (message.role !== 'user') return message;
  const last = message.parts.findLastIndex(({ type }) => type === 'result');
  if (last < 0 || message.parts.every(({ type }) => type !== 'text')) return message;
  const texts = message.parts.filter((part) => part.type === 'text');
  const parts = message.parts.flatMap((part, at): UserMessage['parts'] => {
    if (part.type === 'text') return [];
    return at === last ? [withTexts(part as ResultPart, texts)] : [part];
  });
  return { ...message, parts };
}

const withTexts = (part: ResultPart, texts: readonly TextPart[]): ResultPart => ({
  ...part,
  content: joinTexts([...part.content, { type: 'text', text: 'The user adds:' }, ...texts]),
});

/** Starts the first user message with the system text. */
function inFirst(system: readonly (TextPart | OpaquePart)[], turns: readonly Message[]): readonly Message[] {
  const [first, ...rest] = turns;
  if (first?.role !== 'user') return [asUser(system), ...turns];
  return [{ ...first, parts: joinTexts([...system, ...first.parts]) }, ...rest];
}
