import { hasOwn, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import { mustBeList, mustBeText } from '../must-be.ts';
import { WireError } from '../wire-error.ts';
import { readCall } from './call.ts';
import { proto } from './proto.ts';
import { readSignature } from './seal.ts';

/** A call whose arguments come in pieces, each with its place. */
export interface PartialCall {
  part: CallPart;
  readonly value: JsonObject;
}

/** Whether a part of the wire begins, goes on with or ends such a call. */
export const isPartial = (functionCall: JsonObject, open: boolean): boolean =>
  functionCall.willContinue === true || functionCall.partialArgs !== undefined || (open && !functionCall.name);

/** A call begins. */
export function beginPartial(wire: JsonObject, where: string): PartialCall {
  const { extra: _, ...part } = readCall(wire, where);
  return { part, value: isObject(part.arguments) ? { ...part.arguments } : {} };
}

/** Takes the pieces of one part of the wire; true where they were the last. */
export function growPartial(call: PartialCall, wire: JsonObject, functionCall: JsonObject, where: string): boolean {
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
export const wholeCall = ({ part, value }: PartialCall): CallPart => ({ ...part, arguments: value });

/** The call as far as it came, as text that ends in the middle, so that nobody takes it for whole. */
export function brokenCall({ part, value }: PartialCall): CallPart {
  const text = JSON.stringify(value).slice(0, -1);
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

/** Puts a piece where it belongs; more of a text goes behind what came of it. */
function put(root: JsonObject, path: readonly (string | number)[], piece: JsonObject, where: string): void {
  const value = pieceValue(piece);
  if (value === undefined) return;
  let holder: JsonValue = root;
  for (const [place, key] of path.entries()) {
    const next = path[place + 1];
    const there: JsonValue | undefined = get(holder, key, where);
    const here = next === undefined ? joined(there, value, where) : (there ?? (typeof next === 'number' ? [] : {}));
    if (here !== there) set(holder, key, here);
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

/** Lists grow by one at a time: a place far behind the end would be a hole. */
function get(holder: JsonValue, key: string | number, where: string): JsonValue | undefined {
  if (Array.isArray(holder) && typeof key === 'number' && key <= holder.length) return holder[key];
  if (isObject(holder) && typeof key === 'string') return hasOwn(holder, key) ? holder[key] : undefined;
  throw new WireError(where, 'must lead into what came before');
}

function set(holder: JsonValue, key: string | number, value: JsonValue): void {
  // A key named __proto__ is a key like any other here, and is refused where the arguments are read.
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}
