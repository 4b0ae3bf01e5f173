import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { MediaPart, OpaquePart, ResultPart, TextPart } from '../../turn/turn.ts';
import { argumentsObject } from '../carry.ts';
import { mustBeList, mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { always, own, ownObject } from './carried.ts';
import { readMedia, writeMedia } from './media.ts';
import { proto } from './proto.ts';

type Content = ResultPart['content'];

/**
 * A result of the wire. `{output: text}` and `{error: text}` are the text; any other object is its JSON, and an extra says
 * so by being there, unless that holds a `response` of null.
 */
export function readResult(wire: JsonObject, where: string): ResultPart {
  const at = `${where}.functionResponse`;
  const inner = proto(wire.functionResponse, at);
  const response = isObject(inner.response) ? inner.response : {};
  const plain = plainText(response);
  const id = typeof inner.id === 'string' ? inner.id : '';
  const left = rest(inner, ['id', 'name', 'response', 'parts']);
  const fields = rest(wire, ['functionResponse']);
  const more = !isEmpty(left) || !isEmpty(fields);
  if (more && plain !== undefined) left.response = null;
  const text = plain ?? (isEmpty(response) ? undefined : JSON.stringify(response));
  const media = mustBeList(inner.parts, `${at}.parts`).map((part, index) => readInner(part, `${at}.parts.${index}`));
  return {
    type: 'result',
    callId: id,
    name: mustBeText(inner.name, `${at}.name`),
    content: [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...media],
    ...(saysError(response) && { isError: true }),
    ...((more || (plain === undefined && text !== undefined)) &&
      always({ ...fields, ...(!isEmpty(left) && { functionResponse: left }) })),
  };
}

/** A result for the wire, under the name the wire wants; no id where the call had none. */
export function writeResult(part: ResultPart, name: string, withId: boolean): JsonObject {
  const { response: plain, ...left } = ownObject(part, 'functionResponse') ?? {};
  const text = textOf(part.content);
  const structure = own(part) && plain !== null ? structureOf(text, part.isError === true) : undefined;
  const parts = part.content.flatMap((inner) => writeInner(inner) ?? []);
  const functionResponse: JsonObject = {
    ...(withId && { id: part.callId }),
    name,
    response:
      structure ?? (text === undefined && !part.isError ? {} : { [part.isError ? 'error' : 'output']: text ?? '' }),
    ...(parts.length > 0 && { parts }),
    ...left,
  };
  return { ...own(part), functionResponse };
}

const saysError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** The object a text was read from, for as long as it is one and means the same. */
function structureOf(text: string | undefined, isError: boolean): JsonObject | undefined {
  const structure = argumentsObject(text ?? '');
  return structure && saysError(structure) === isError ? structure : undefined;
}

function plainText(response: JsonObject): string | undefined {
  const [key, ...others] = Object.keys(response);
  const value = key === 'output' || key === 'error' ? response[key] : undefined;
  return others.length === 0 && typeof value === 'string' ? value : undefined;
}

const textOf = (content: Content): string | undefined => {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
};

function readInner(value: unknown, where: string): MediaPart | OpaquePart {
  const wire = proto(value, where);
  return readMedia(wire, where) ?? { type: 'opaque', format: 'gemini', value: value as JsonValue };
}

function writeInner(part: TextPart | MediaPart | OpaquePart): JsonValue | undefined {
  if (part.type === 'media') return writeMedia(part);
  return part.type === 'opaque' && part.format === 'gemini' ? part.value : undefined;
}
