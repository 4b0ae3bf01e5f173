import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import type {
  AssistantPart,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  SystemMessage,
  TextPart,
  UserMessage,
} from '../../../model/index.ts';
import { argumentsObject } from '../arguments.ts';
import { isEmpty, unreadFields } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import { mustBeList, mustBeText } from '../validate.ts';
import {
  appendPartial,
  beginPartial,
  brokenCall,
  finishPartial,
  isPartial,
  readCall,
  readSignature,
  writeCall,
  writeSignature,
} from './calls.ts';
import { asPassthrough, ownFields, ownObject, passthroughOf, proto } from './fields.ts';

/** Parts that each role can contain. Others pass through as opaque. */
const mayHold = {
  system: ['text'],
  user: ['text', 'media', 'result'],
  model: ['text', 'media', 'reasoning', 'call'],
} as const satisfies Record<string, readonly Part['type'][]>;

interface Held {
  readonly system: SystemMessage['parts'][number];
  readonly user: UserMessage['parts'][number];
  readonly model: AssistantPart;
}

/** Reads a part of a message by role. */
export function readPart<S extends keyof Held>(side: S, value: unknown, where: string): Held[S] {
  const wire = proto(value, where);
  const part = known(wire, where);
  const holds: readonly string[] = mayHold[side];
  const held = part && holds.includes(part.type) ? part : opaque(value);
  // The table above guarantees this type, which the compiler can't infer.
  return held as Held[S];
}

const opaque = (value: unknown): OpaquePart => ({ type: 'opaque', format: 'gemini', value: value as JsonValue });

const given = (wire: JsonObject, field: string): boolean => wire[field] !== undefined && wire[field] !== null;

function known(wire: JsonObject, where: string): Part | undefined {
  if (given(wire, 'functionCall')) return readPartial(wire, where) ?? readCall(wire, where);
  if (given(wire, 'functionResponse')) return readResult(wire, where);
  if (typeof wire.text === 'string') return readText(wire, wire.text);
  return readMedia(wire, where) ?? readHidden(wire);
}

/** Reads a call with partial arguments that consists of one part. */
function readPartial(wire: JsonObject, where: string): Part | undefined {
  const { functionCall } = wire;
  if (!isObject(functionCall) || !isPartial(functionCall, false)) return undefined;
  const call = beginPartial(wire, where);
  return appendPartial(call, wire, functionCall, where) ? finishPartial(call) : brokenCall(call);
}

function readText(wire: JsonObject, text: string): Part {
  const thought = wire.thought === true;
  const left = passthroughOf(wire, ['text', ...(thought ? ['thought'] : []), ...signed(wire)]);
  return { type: thought ? 'reasoning' : 'text', text, ...readSignature(wire), ...left };
}

/** Reads a signature without text, which is hidden reasoning. */
function readHidden(wire: JsonObject): Part | undefined {
  const { signature } = readSignature(wire);
  if (!signature || Object.keys(wire).some((key) => key !== 'thoughtSignature' && key !== 'thought')) return undefined;
  return { type: 'reasoning', text: '', hidden: true, signature, ...passthroughOf(wire, ['thoughtSignature']) };
}

const signed = (wire: JsonObject): string[] => (typeof wire.thoughtSignature === 'string' ? ['thoughtSignature'] : []);

/** Any part except a result, which needs its call. */
type PlainPart = Exclude<Part, { type: 'result' }>;

/** Writes a part; undefined, with a warning, if the API can't express it. */
export function writePart(part: PlainPart, where: string, warnings: Warning[]): JsonValue | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part);
    case 'reasoning':
      return writeReasoning(part);
    case 'refusal':
      warnings.push({ where, what: 'A refusal was written as plain text' });
      return { text: part.text };
    case 'media': {
      const wire = writeMedia(part);
      if (!wire) warnings.push({ where, what: 'The file is stored by another provider; left out' });
      return wire;
    }
    case 'call': {
      const { wire, what } = writeCall(part);
      if (what !== undefined) warnings.push({ where: `${where}.arguments`, what });
      return wire;
    }
    case 'opaque':
      return part.format === 'gemini' ? part.value : undefined;
  }
}

const writeText = (part: TextPart): JsonObject => ({ text: part.text, ...writeSignature(part), ...ownFields(part) });

/** Writes reasoning. Text of other providers is accepted, their signatures are not. */
function writeReasoning(part: ReasoningPart): JsonObject | undefined {
  if (part.hidden)
    return part.signature?.format === 'gemini' ? { ...writeSignature(part), ...ownFields(part) } : undefined;
  if (part.text === '' && part.signature?.format !== 'gemini' && !ownFields(part)) return undefined;
  return { text: part.text, thought: true, ...writeSignature(part), ...ownFields(part) };
}

type Content = ResultPart['content'];

/**
 * Reads a result. `{output: text}` and `{error: text}` become text. Other objects become JSON, marked by a passthrough,
 * unless the passthrough has a null `response`.
 */
function readResult(wire: JsonObject, where: string): ResultPart {
  const at = `${where}.functionResponse`;
  const inner = proto(wire.functionResponse, at);
  const response = isObject(inner.response) ? inner.response : {};
  const plain = plainText(response);
  const id = typeof inner.id === 'string' ? inner.id : '';
  const left = unreadFields(inner, ['id', 'name', 'response', 'parts']);
  const fields = unreadFields(wire, ['functionResponse']);
  const more = !isEmpty(left) || !isEmpty(fields);
  if (more && plain !== undefined) left.response = null;
  const text = plain ?? (isEmpty(response) ? undefined : stringifyJson(response));
  const media = mustBeList(inner.parts, `${at}.parts`).map((part, index) => readInner(part, `${at}.parts.${index}`));
  return {
    type: 'result',
    callId: id,
    name: mustBeText(inner.name, `${at}.name`),
    content: [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...media],
    ...(saysError(response) && { isError: true }),
    ...((more || (plain === undefined && text !== undefined)) &&
      asPassthrough({ ...fields, ...(!isEmpty(left) && { functionResponse: left }) })),
  };
}

/** Writes a result with its tool name, and without an id if the call had none. */
export function writeResult(part: ResultPart, name: string, withId: boolean): JsonObject {
  const { response: plain, ...left } = ownObject(part, 'functionResponse') ?? {};
  const text = textOf(part.content);
  const structure = ownFields(part) && plain !== null ? structureOf(text, part.isError === true) : undefined;
  const parts = part.content.flatMap((inner) => writeInner(inner) ?? []);
  const functionResponse: JsonObject = {
    ...(withId && { id: part.callId }),
    name,
    response:
      structure ?? (text === undefined && !part.isError ? {} : { [part.isError ? 'error' : 'output']: text ?? '' }),
    ...(parts.length > 0 && { parts }),
    ...left,
  };
  return { ...ownFields(part), functionResponse };
}

const saysError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** The object that a text was read from, if it is still valid and has the same meaning. */
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

/** The two fields for media: bytes or a URI. */
const kinds = [
  { field: 'inlineData', holds: 'data', source: (data: string) => ({ data }) },
  { field: 'fileData', holds: 'fileUri', source: (url: string) => ({ url }) },
] as const;

const anyType = '*/*';

/** Reads media; undefined if the part has none. */
function readMedia(wire: JsonObject, where: string): MediaPart | undefined {
  const kind = kinds.find(({ field }) => wire[field] !== undefined && wire[field] !== null);
  if (!kind) return undefined;
  const { field, holds, source } = kind;
  const inner = proto(wire[field], `${where}.${field}`);
  const { mimeType, displayName } = inner;
  const typed = typeof mimeType === 'string' && !mimeType.endsWith('/*');
  const named = typeof displayName === 'string';
  const left = unreadFields(inner, [holds, ...(typed ? ['mimeType'] : []), ...(named ? ['displayName'] : [])]);
  return {
    type: 'media',
    mediaType: typeof mimeType === 'string' ? mimeType : anyType,
    source: source(mustBeText(inner[holds], `${where}.${field}.${holds}`)),
    ...(named && { name: displayName }),
    ...passthroughOf({ ...unreadFields(wire, [field]), ...(!isEmpty(left) && { [field]: left }) }),
  };
}

/** Writes media; undefined for a file stored by another provider. */
function writeMedia(part: MediaPart): JsonObject | undefined {
  const { source, mediaType, name } = part;
  if ('file' in source) return undefined;
  const field = 'data' in source ? 'inlineData' : 'fileData';
  const inner: JsonObject = {
    // The service rejects wildcard types, and detects the type if it is missing.
    ...(!mediaType.endsWith('/*') && { mimeType: mediaType }),
    ...('data' in source ? { data: source.data } : { fileUri: source.url }),
    ...(name !== undefined && { displayName: name }),
  };
  return {
    ...ownFields(part),
    [field]: { ...inner, ...ownObject(part, field) },
  };
}
