import {
  copyLiteral,
  hasOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  ownCopy,
  stringifyJson,
} from '../../../json/value.ts';
import type { CallPart, ProviderSignature } from '../../../model/index.ts';
import { asReceived, mendedArguments } from '../arguments.ts';
import { WireError } from '../errors.ts';
import { isEmpty, unreadFields } from '../passthrough-fields.ts';
import { mustBeList, mustBeText } from '../validate.ts';
import { asPassthrough, ownFields, ownObject, proto } from './fields.ts';

/**
 * Reads a call. If it has no id, ours is empty and it has a passthrough. If it has both an id and a passthrough, the
 * passthrough also contains the id.
 */
export function readCall(wire: JsonObject, where: string): CallPart {
  const inner = proto(wire.functionCall, `${where}.functionCall`);
  const id = typeof inner.id === 'string' ? inner.id : '';
  const args = asReceived(inner.args ?? {});
  const left = {
    ...unreadFields(inner, ['name', 'args', ...(id === '' ? ['id'] : [])]),
    ...((inner.args === undefined || inner.args === null) && { args: null }),
  };
  const fields = unreadFields(wire, ['functionCall', 'thoughtSignature']);
  const plain = id !== '' && isEmpty(fields) && Object.keys(left).length === 1;
  return {
    type: 'call',
    id,
    name: mustBeText(inner.name, `${where}.functionCall.name`),
    arguments: args,
    ...readSignature(wire),
    ...(!plain && asPassthrough({ ...fields, ...(!isEmpty(left) && { functionCall: left }) })),
  };
}

/** Whether the call had an id when received. Otherwise results are matched by name and order. */
export const hasId = (part: CallPart): boolean => !ownFields(part) || ownObject(part, 'functionCall')?.id !== undefined;

/** Writes a call, and reports how its arguments were changed. */
export function writeCall(part: CallPart): { wire: JsonObject; what?: string } {
  const { object: args, ...told } = mendedArguments(part.arguments);
  const { args: none, ...left } = ownObject(part, 'functionCall') ?? {};
  const bare = none === null && isEmpty(args);
  const functionCall = {
    ...left,
    ...(hasId(part) && { id: part.id }),
    name: part.name,
    ...(!bare && { args }),
  };
  return { wire: { ...ownFields(part), functionCall, ...writeSignature(part) }, ...told };
}

/** A call whose arguments arrive in pieces, each with its path. */
export interface PartialCall {
  part: CallPart;
  readonly value: JsonObject;
}

/** Whether a part starts, continues or ends such a call. */
export const isPartial = (functionCall: JsonObject, open: boolean): boolean =>
  functionCall.willContinue === true || functionCall.partialArgs !== undefined || (open && !functionCall.name);

/** Starts a call. */
export function beginPartial(wire: JsonObject, where: string): PartialCall {
  const { passthrough: _, ...part } = readCall(wire, where);
  if (typeof part.arguments === 'string') throw new WireError(`${where}.functionCall.args`, 'must not repeat a key');
  return { part, value: isObject(part.arguments) ? ownCopy(part.arguments) : {} };
}

/** Adds the pieces of a part. Returns true if they are the last. */
export function appendPartial(call: PartialCall, wire: JsonObject, functionCall: JsonObject, where: string): boolean {
  call.part = { ...call.part, ...readSignature(wire) };
  const at = `${where}.functionCall.partialArgs`;
  for (const [index, value] of mustBeList(functionCall.partialArgs, at).entries()) {
    const piece = proto(value, `${at}.${index}`);
    const place = `${at}.${index}.jsonPath`;
    put(call.value, pathOf(mustBeText(piece.jsonPath, place), place), piece, place);
  }
  return functionCall.willContinue !== true;
}

/** The call with all its arguments. */
export const finishPartial = ({ part, value }: PartialCall): CallPart => ({ ...part, arguments: value });

/** The incomplete call, with arguments as truncated text so that it isn't mistaken for complete. */
export function brokenCall({ part, value }: PartialCall): CallPart {
  const text = stringifyJson(value).slice(0, -1);
  return { ...part, arguments: text === '{' ? text : `${text},` };
}

const step = /\.([^.[\]'"]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
const deepest = 500;

/** The keys and indexes of `$.list[0]['a key']`. */
function pathOf(path: string, where: string): (string | number)[] {
  const steps: (string | number)[] = [];
  step.lastIndex = 1;
  while (path.startsWith('$') && step.lastIndex < path.length && steps.length < deepest) {
    const found = step.exec(path);
    if (!found) break;
    const [whole, plain, index, single, double] = found;
    steps.push(index !== undefined ? Number(index) : (plain ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')));
    if (step.lastIndex === path.length && whole) return steps;
  }
  throw new WireError(where, 'must be a JSON path below $');
}

/** Sets a piece at its path. Text is appended to existing text. */
function put(root: JsonObject, path: readonly (string | number)[], piece: JsonObject, where: string): void {
  const value = pieceValue(piece);
  if (value === undefined) return;
  let holder: JsonValue = root;
  for (const [place, key] of path.entries()) {
    const next = path[place + 1];
    const there: JsonValue | undefined = get(holder, key, where);
    const here = next === undefined ? joined(there, value, where) : (there ?? (typeof next === 'number' ? [] : {}));
    if (here !== there) set(holder, key, here);
    if (next === undefined) copyLiteral([piece, 'numberValue'], [holder as object, key]);
    holder = here;
  }
}

function joined(before: JsonValue | undefined, value: JsonValue, where: string): JsonValue {
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  if (before === undefined || before === value) return value;
  throw new WireError(where, 'must not be given twice');
}

function pieceValue(piece: JsonObject): JsonValue | undefined {
  const { stringValue, numberValue, boolValue } = piece;
  return stringValue ?? numberValue ?? boolValue ?? (hasOwn(piece, 'nullValue') ? null : undefined);
}

/** An index may be at most the length of the list, because anything beyond would leave a hole. */
function get(holder: JsonValue, key: string | number, where: string): JsonValue | undefined {
  if (Array.isArray(holder) && typeof key === 'number' && key <= holder.length) return holder[key];
  if (isObject(holder) && typeof key === 'string') return hasOwn(holder, key) ? holder[key] : undefined;
  throw new WireError(where, 'must point into an earlier value');
}

function set(holder: JsonValue, key: string | number, value: JsonValue): void {
  // Defines `__proto__` as a normal key; it is rejected when the arguments are read.
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Reads the signature of a part. */
export const readSignature = ({ thoughtSignature }: JsonObject): { signature?: ProviderSignature } =>
  typeof thoughtSignature === 'string' ? { signature: { format: 'gemini', value: thoughtSignature } } : {};

/** Writes a signature if it is from Gemini. */
export const writeSignature = ({ signature }: { readonly signature?: ProviderSignature }): JsonObject =>
  signature?.format === 'gemini' ? { thoughtSignature: signature.value } : {};
