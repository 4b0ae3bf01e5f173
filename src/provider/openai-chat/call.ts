import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, CallPart, OpaquePart } from '../../turn/turn.ts';
import { argumentsText } from '../carry.ts';
import { makeId } from '../make-id.ts';
import { carrying, format, isString, isText, lay, leave, objectAt, ownFields, putBack, take } from './take.ts';

/** Reads one of `tool_calls`; one that calls no function, a custom tool's say, is kept as it came. */
export function readCall(wire: JsonValue, where: string): CallPart | OpaquePart {
  const rest = objectAt(wire, where);
  if (!isObject(rest.function)) return { type: 'opaque', format, value: wire };
  const left = { ...rest.function };
  const id = take(rest, 'id', isText) ?? makeId();
  const name = take(left, 'name', isString) ?? '';
  const given = left.arguments ?? '';
  delete left.arguments;
  if (rest.type === 'function') delete rest.type;
  putBack(rest, 'function', left);
  return { type: 'call', id, name, arguments: given, ...leave(rest) };
}

/** Reads the deprecated `function_call`, which has no id. */
export function readFunctionCall(wire: JsonObject, id: string): CallPart {
  const name = isString(wire.name) ? wire.name : '';
  return { type: 'call', id, name, arguments: wire.arguments ?? '', ...carrying({ type: 'function_call' }) };
}

/** Whether a call came as the deprecated `function_call`, and so goes back as one. */
export const isFunctionCall = (call: CallPart): boolean => ownFields(call)?.type === 'function_call';

/** A call as it stands in `tool_calls`. */
export const writeCall = (call: CallPart): JsonObject =>
  lay({ id: call.id, type: 'function', function: nameAndArguments(call) }, call);

/** A call's name and argument text. */
export const nameAndArguments = ({ name, arguments: given }: CallPart): JsonObject => ({
  name,
  arguments: argumentsText(given),
});

/** Whether a part of this wire alone stood among the calls: those have an id or a custom tool, parts of the content neither. */
export const isOpaqueCall = (part: AssistantPart): part is OpaquePart =>
  part.type === 'opaque' &&
  part.format === format &&
  isObject(part.value) &&
  (isString(part.value.id) || isObject(part.value.custom));
