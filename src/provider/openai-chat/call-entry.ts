import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { isNumber, isString } from './take.ts';

/** One of a delta's `tool_calls`, whatever the server left out. */
export interface CallEntry {
  readonly index: number | undefined;
  /** Empty where it has none. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** It says what type it is, as the head of a call does. */
  readonly typed: boolean;
  /** What else it says. */
  readonly rest: JsonObject | undefined;
}

const known = ['__proto__', 'index', 'id', 'type', 'function'];

/** Reads an entry. Arguments that came as a value are as good as text that is whole. */
export function callEntry(wire: JsonObject): CallEntry {
  const called = isObject(wire.function) ? wire.function : {};
  return {
    index: indexOf(wire.index),
    id: isString(wire.id) ? wire.id : '',
    name: isString(called.name) ? called.name : '',
    text: argumentText(called.arguments),
    typed: isString(wire.type),
    rest: restOf(wire),
  };
}

/** Some write it as text. */
const indexOf = (index: JsonValue | undefined): number | undefined => {
  const number = isString(index) && /^\d+$/.test(index) ? Number(index) : index;
  return isNumber(number) ? number : undefined;
};

const argumentText = (given: JsonValue | undefined): string =>
  isString(given) ? given : given === undefined || given === null ? '' : JSON.stringify(given);

function restOf(wire: JsonObject): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const key in wire) {
    const value = wire[key];
    const usual = known.includes(key) ? key !== 'type' || value === 'function' || value === null : value === null;
    if (usual || value === undefined) continue;
    rest ??= {};
    rest[key] = value;
  }
  return rest;
}
