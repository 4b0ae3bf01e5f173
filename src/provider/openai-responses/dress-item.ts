import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { makeId } from '../make-id.ts';

/** Gives an item of an answer what the wire wants there: an id, a status, lists though they be empty. */
export function dressItem(item: JsonObject): JsonObject {
  if (item.type === 'reasoning') return { id: makeId('rs_'), ...item };
  if (item.type === 'function_call') return { id: makeId('fc_'), status: 'completed', ...item };
  const content = Array.isArray(item.content) ? item.content.map(dressPart) : [];
  return { id: makeId('msg_'), type: 'message', status: 'completed', ...item, content };
}

const dressPart = (part: JsonValue): JsonValue =>
  isObject(part) && part.type === 'output_text' ? { annotations: [], logprobs: [], ...part } : part;
