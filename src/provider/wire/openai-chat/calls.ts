import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, CallPart, OpaquePart, ReasoningPart } from '../../../model/index.ts';
import { argumentsText, asReceived } from '../arguments.ts';
import {
  asPassthrough,
  format,
  isString,
  isText,
  mergeOver,
  objectAt,
  ownFields,
  passthroughOf,
  putBack,
  take,
} from './fields.ts';

/** Reads one of `tool_calls`. Calls of custom tools stay opaque. */
export function readCall(wire: JsonValue, where: string): CallPart | OpaquePart {
  const rest = objectAt(wire, where);
  if (!isObject(rest.function)) return { type: 'opaque', format, value: wire };
  const left = { ...rest.function };
  const id = take(rest, 'id', isText) ?? makeId();
  // A missing id isn't put back, because clients need one.
  delete rest.id;
  const name = take(left, 'name', isString) ?? '';
  const given = asReceived(left.arguments ?? '');
  delete left.arguments;
  if (rest.type === 'function') delete rest.type;
  putBack(rest, 'function', left);
  return { type: 'call', id, name, arguments: given, ...passthroughOf(rest) };
}

/** The entries of `tool_calls`. Some servers send an object: one call, or calls by their index. */
export function callEntries(wire: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(wire)) return wire;
  if (!isObject(wire)) return [];
  return isObject(wire.function) || isObject(wire.custom) ? [wire] : Object.values(wire).filter(isObject);
}

/** Reads the deprecated `function_call`, which has no id. */
export function readFunctionCall(wire: JsonObject, id: string): CallPart {
  const name = isString(wire.name) ? wire.name : '';
  return {
    type: 'call',
    id,
    name,
    arguments: asReceived(wire.arguments ?? ''),
    ...asPassthrough({ type: 'function_call' }),
  };
}

/** Whether a call was received as the deprecated `function_call`, and is written as one. */
export const isFunctionCall = (call: CallPart): boolean => ownFields(call)?.type === 'function_call';

/** Writes a call for `tool_calls`. */
export const writeCall = (call: CallPart): JsonObject =>
  mergeOver({ id: call.id, type: 'function', function: nameAndArguments(call) }, call);

/** The name and argument text of a call. */
export const nameAndArguments = ({ name, arguments: given }: CallPart): JsonObject => ({
  name,
  arguments: argumentsText(given),
});

/** Whether an opaque part is a call. Calls have an id or a custom tool, content parts have neither. */
export const isOpaqueCall = (part: AssistantPart): part is OpaquePart =>
  part.type === 'opaque' &&
  part.format === format &&
  isObject(part.value) &&
  (isString(part.value.id) || isObject(part.value.custom));

/** Fields that servers use for reasoning. Reasoning is written to the field it was read from, by default the first. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const;

/** Removes the reasoning from a message's fields and returns it. */
export function readReasoning(rest: JsonObject): ReasoningPart[] {
  const details = rest.reasoning_details;
  const listed = Array.isArray(details) && details.length > 0 ? details : undefined;
  const said = reasoningFields.filter((field) => isText(rest[field]));
  const [first] = said;
  if (!first && !listed) return [];
  const text = first ? String(rest[first]) : (listed ?? []).map(detailText).join('');
  const same = said.filter((field) => rest[field] === text);
  for (const field of same) delete rest[field];
  if (listed) delete rest.reasoning_details;
  return [reasoningPart(text, same, listed)];
}

/** A reasoning part, with the fields it was read from and its signed details. */
function reasoningPart(text: string, fields: readonly string[], details?: readonly JsonValue[]): ReasoningPart {
  return { type: 'reasoning', text, ...reasoningMarks(text, fields, details) };
}

/** The fields of a reasoning part except its text. */
export function reasoningMarks(
  text: string,
  fields: readonly string[],
  details: readonly JsonValue[] | undefined,
): Pick<ReasoningPart, 'signature' | 'hidden' | 'passthrough'> {
  const usual = fields.length === 1 && fields[0] === reasoningFields[0];
  return {
    ...(details && { signature: { format, value: JSON.stringify(details) } }),
    ...(text === '' && { hidden: true }),
    ...(!usual && asPassthrough({ in: [...fields] })),
  };
}

/** The text of one of `reasoning_details`. */
export const detailText = (detail: JsonValue): string => {
  if (!isObject(detail)) return '';
  return isString(detail.text) ? detail.text : isString(detail.summary) ? detail.summary : '';
};

/** Whether the signature of a reasoning part is from another format. */
export const isForeign = ({ signature }: ReasoningPart): boolean =>
  signature !== undefined && signature.format !== format && signature.value !== '';

/** Writes reasoning. Drops parts with a signature of another format, which couldn't be preserved. */
export function writeReasoning(parts: readonly ReasoningPart[]): JsonObject {
  const ours = parts.filter((part) => !isForeign(part));
  const text = ours.map((part) => part.text).join('');
  const details = ours.flatMap(signedDetails);
  const fields = ours.map(fieldsOf).find((names) => names !== undefined) ?? [reasoningFields[0]];
  return {
    ...(text !== '' && Object.fromEntries(fields.map((field) => [field, text]))),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** The fields a reasoning part was read from, if not the default. */
export const fieldsOf = (part: ReasoningPart): string[] | undefined => {
  const names = ownFields(part)?.in;
  return Array.isArray(names) ? names.filter(isString) : undefined;
};

/** The details in a reasoning part's signature. */
export function signedDetails({ signature }: ReasoningPart): JsonValue[] {
  if (signature?.format !== format) return [];
  try {
    const details: unknown = JSON.parse(signature.value);
    return Array.isArray(details) ? details : [];
  } catch {
    return [];
  }
}
