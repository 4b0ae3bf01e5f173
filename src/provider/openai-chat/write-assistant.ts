import type { JsonObject } from '../../json/value.ts';
import type { AssistantMessage, AssistantPart } from '../../turn/turn.ts';
import { isFunctionCall, isOpaqueCall, nameAndArguments, writeCall } from './call.ts';
import type { ContentPart } from './read-content.ts';
import { isForeign, writeReasoning } from './reasoning.ts';
import { lay, ownFields } from './take.ts';
import { type Place, writeContent } from './write-content.ts';

/**
 * Writes what the model said: its thoughts, its words, its calls. The wire has them in this order only.
 *
 * @param answer an answer's content is one text; a history may have a list
 */
export function writeAssistant(message: AssistantMessage, place: Place, answer = false): JsonObject {
  const { parts } = message;
  const words = parts.filter((part, index) => isContent(part) || lost(part, index, place));
  const calls = parts.filter((part) => part.type === 'call');
  const last = calls.findLast(isFunctionCall);
  const listed = parts.flatMap((part) => {
    if (part.type === 'call') return isFunctionCall(part) ? [] : [writeCall(part)];
    return isOpaqueCall(part) ? [part.value] : [];
  });
  const refusal = parts.flatMap((part) => (part.type === 'refusal' && !ownFields(part) ? [part.text] : [])).join('');
  sayOrder(parts, place);
  const thoughts = writeReasoning(parts.filter((part) => part.type === 'reasoning'));
  // Content that is null is taken beside something else alone.
  const nothing =
    parts.length > 0 && listed.length === 0 && !last && refusal === '' && Object.keys(thoughts).length === 0;
  const content = writeContent(answer ? joined(words) : words, message, nothing && !answer ? '' : null, place);
  return {
    ...lay({ role: 'assistant' }, message),
    ...content,
    ...thoughts,
    ...(refusal !== '' && { refusal }),
    ...(listed.length > 0 && { tool_calls: listed }),
    ...(last && { function_call: nameAndArguments(last) }),
  };
}

/** Whether a part stands in the content: a refusal or media only where they came from there. */
const isContent = (part: AssistantPart): part is ContentPart => {
  if (part.type === 'refusal' || part.type === 'media') return ownFields(part) !== undefined;
  return part.type === 'text' || (part.type === 'opaque' && !isOpaqueCall(part));
};

function lost(part: AssistantPart, index: number, { where, losses }: Place): part is never {
  const what =
    part.type === 'media'
      ? 'An answer holds no media on this wire, so it was left out'
      : part.type === 'reasoning' && isForeign(part) && part.text !== ''
        ? 'A thought means nothing without its signature, which is foreign to this wire, so it was left out'
        : undefined;
  if (what !== undefined) losses.push({ where: `${where}.parts.${index}`, what });
  return false;
}

function sayOrder(parts: readonly AssistantPart[], { where, losses }: Place): void {
  const firstCall = parts.findIndex(({ type }) => type === 'call');
  const late = parts.findIndex(({ type }, index) => firstCall >= 0 && index > firstCall && type === 'text');
  if (late >= 0)
    losses.push({ where: `${where}.parts.${late}`, what: 'Words after a call are written before it on this wire' });
}

/** Texts that stand side by side as one, where none was an object of its own. */
function joined(words: readonly ContentPart[]): readonly ContentPart[] {
  const plain = words.every((part) => part.type === 'text' && !ownFields(part));
  if (!plain || words.length < 2) return words;
  return [{ type: 'text', text: words.map((part) => ('text' in part ? part.text : '')).join('') }];
}
