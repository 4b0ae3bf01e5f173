import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Extra, MediaPart, OpaquePart, RefusalPart, TextPart } from '../../turn/turn.ts';
import { WireError } from '../wire-error.ts';
import { readMedia } from './media.ts';
import { carrying, format, isString, leave, take } from './take.ts';

/** What may stand in a message's content on this wire. */
export type ContentPart = TextPart | MediaPart | RefusalPart | OpaquePart;

/**
 * Takes the content out of what is left of a message. Where it is empty, in whichever way, there are no parts and it
 * stays, to be carried.
 *
 * @param media whether the role has media by right; where not, each says by an empty extra that it stood there
 */
export function readContent(rest: JsonObject, where: string, media: boolean): ContentPart[] {
  const { content } = rest;
  if (content === undefined || content === null) return [];
  if (!isString(content) && !Array.isArray(content))
    throw new WireError(`${where}.content`, 'must be text or a list of parts');
  if (content.length === 0) return [];
  delete rest.content;
  if (isString(content)) return [{ type: 'text', text: content }];
  const parts = content.map((one) => readPart(one, media));
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? [{ ...carrying({}), ...only }] : parts;
}

function readPart(wire: JsonValue, media: boolean): ContentPart {
  const opaque: OpaquePart = { type: 'opaque', format, value: wire };
  if (!isObject(wire)) return opaque;
  const rest = { ...wire };
  delete rest.type;
  if (wire.type === 'text') {
    const text = take(rest, 'text', isString);
    return text === undefined ? opaque : { type: 'text', text, ...leave(rest) };
  }
  if (wire.type === 'refusal') {
    const text = take(rest, 'refusal', isString);
    return text === undefined ? opaque : { type: 'refusal', text, ...carrying(rest) };
  }
  const read = readMedia(wire);
  return read ? { ...(!media && carrying({})), ...read } : opaque;
}

/**
 * What is left of a message. An extra that is there speaks for an empty content too: without one the content is
 * `empty`, as the wire has it most often.
 */
export function leftOfMessage(rest: JsonObject, content: readonly ContentPart[], empty: '' | null): { extra?: Extra } {
  if (content.length > 0) return leave(rest);
  const usual = rest.content === empty && Object.keys(rest).length === 1;
  return usual ? {} : carrying(rest);
}
