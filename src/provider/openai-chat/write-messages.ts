import type { JsonObject } from '../../json/value.ts';
import type { MediaPart, Message, ResultPart, UserMessage } from '../../turn/turn.ts';
import type { Warning } from '../wire.ts';
import { lay, ownFields } from './take.ts';
import { writeAssistant } from './write-assistant.ts';
import { type Place, writeContent } from './write-content.ts';
import { writeResult } from './write-result.ts';

/** Writes a conversation: each result is a message of its own. */
export function writeMessages(messages: readonly Message[], losses: Warning[]): JsonObject[] {
  return messages.flatMap((message, index) => {
    const place = { where: `messages.${index}`, losses };
    if (message.role === 'assistant') return [writeAssistant(message, place)];
    if (message.role === 'user') return writeUser(message, place);
    return [{ ...lay({ role: 'system' }, message), ...writeContent(message.parts, message, '', place) }];
  });
}

/** Results come first, as the wire wants them right after the calls; media that came with them follow as a person's. */
function writeUser(message: UserMessage, place: Place): JsonObject[] {
  const results = message.parts.flatMap((part, index) => (part.type === 'result' ? [{ part, index }] : []));
  const written = results.map(({ part, index }) =>
    writeResult(part, { ...place, where: `${place.where}.parts.${index}` }),
  );
  const words = [
    ...results.flatMap(({ part }) => movedMedia(part)),
    ...message.parts.filter((part) => part.type !== 'result'),
  ];
  if (words.length === 0 && results.length > 0) return written;
  return [...written, { ...lay({ role: 'user' }, message), ...writeContent(words, message, '', place) }];
}

const movedMedia = ({ content }: ResultPart): MediaPart[] =>
  content.filter((part) => part.type === 'media').filter((part) => !ownFields(part));
