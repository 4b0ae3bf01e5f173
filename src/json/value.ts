import { ToolmendError, type ToolmendErrorCode } from './toolmend-error.ts';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** A JSON object. Keys are own properties, never `__proto__`. */
export interface JsonObject {
  [key: string]: JsonValue;
}
/** Keys and indexes from the root; empty for the root itself. */
export type Path = readonly (string | number)[];

/** Whether a value is an object, not null and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks own properties only, so that keys such as `toString` don't match inherited ones. */
export const hasOwn = (value: object, key: string | number): boolean => Object.hasOwn(value, key);

/** The JSON type of a value: null, boolean, number, string, array, object. */
export const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Throws unless an argument has the right type, which only a caller without TypeScript gets wrong. */
export function checkArgument(
  isRight: boolean,
  name: string,
  expected: string,
  value: unknown,
  code: ToolmendErrorCode = 'invalid_option',
): void {
  if (!isRight) throw new ToolmendError(code, `Invalid ${name}: expected ${expected}, got ${typeName(value)}.`);
}

/** Throws for an option that doesn't exist. A typo would otherwise have no effect. */
export function checkNames(options: object | undefined, names: readonly string[], what: string): void {
  const unknown = Object.keys(options ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ToolmendError('invalid_option', `Unknown ${what} '${unknown}': expected ${names.join(', ')}.`);
}

/** Whether two JSON values are equal, in any key order. Recursion is bounded by the depth limit. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => hasOwn(b, key) && equal(a[key], b[key]));
}

/** Name of a field in messages for the model. */
export const fieldName = (path: Path): string => (path.length === 0 ? 'Root object' : `Field '${path.join('.')}'`);

/**
 * A deep copy, so that a value shown to or received from a person can't change later. Values that can't be cloned
 * aren't JSON, and are returned unchanged.
 */
export function ownCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const quick = copyPlain(value, { left: mostCopied });
  if (quick !== notPlain) return quick as T;
  try {
    const copy = structuredClone(value);
    if (textAsWritten(value) !== undefined) keepLiterals(value, copy, false, () => undefined);
    return copy;
  } catch {
    return value;
  }
}

/** An object with its own copies of its values, for one that was just created. */
export function ownFields<T extends object>(fresh: T): T {
  const fields = fresh as Record<string, unknown>;
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === 'object' && value !== null && hasOwn(fields, key)) fields[key] = ownCopy(value);
  }
  return fresh;
}

const notPlain = Symbol();
/** Values that are copied here before `structuredClone` takes over, which knows shared parts and cycles. */
const mostCopied = 2000;

/** Copies objects and arrays of plain values, which takes a fraction of the time of `structuredClone`. */
function copyPlain(value: unknown, room: { left: number }): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol' ? notPlain : value;
  room.left -= 1;
  if (room.left < 0) return notPlain;
  const copy = Array.isArray(value) ? copyList(value, room) : copyFields(value, room);
  const written = hasLiterals && literals.get(value);
  if (written && copy !== notPlain) literals.set(copy as object, new Map(written));
  return copy;
}

function copyList(value: readonly unknown[], room: { left: number }): unknown {
  if (Object.getPrototypeOf(value) !== Array.prototype) return notPlain;
  const copy = value.slice();
  for (let at = 0; at < copy.length; at += 1) {
    const own = copy[at];
    // A list with holes isn't plain.
    if (own === undefined && !(at in value)) return notPlain;
    if (typeof own === 'string' || own === null) continue;
    const inner = copyPlain(own, room);
    if (inner === notPlain) return notPlain;
    if (inner !== own) copy[at] = inner;
  }
  return copy;
}

function copyFields(value: object, room: { left: number }): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype) return notPlain;
  // Copied at once, which keeps the shape of the object, and then only what isn't plain text or a number.
  const copy = { ...value } as Record<string, unknown>;
  // Takes half the time of `Object.keys`.
  for (const key in copy) {
    if (key === '__proto__') return notPlain;
    const own = copy[key];
    if (typeof own === 'string' || own === null) continue;
    const inner = copyPlain(own, room);
    if (inner === notPlain) return notPlain;
    // A key of the prototype isn't a field.
    if (inner !== own && hasOwn(copy, key)) copy[key] = inner;
  }
  return copy;
}

/**
 * Whether a number beyond 2^53 may have lost digits: all except those with an exponent that come back as written
 * (`6.02e23`, but not `9007199254740993e0`).
 */
export const isRounded = (value: number, literal: string): boolean =>
  Math.abs(value) > Number.MAX_SAFE_INTEGER && !(/^[\d._+-]{1,99}e/i.test(literal) && isExact(value, literal));

const decimalForm = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** The digits of a decimal without zeros around them, its exponent and its sign: equal for all ways to write it. */
function decimalOf(literal: string): readonly [digits: string, exponent: number, sign: string] | undefined {
  const [, sign = '', before = '', after = '', power = '0'] = decimalForm.exec(literal.replace(/[_,]/g, '')) ?? [];
  const all = before + after;
  if (all === '') return undefined;
  let [from, to] = [0, all.length];
  while (all[from] === '0') from++;
  while (to > from && all[to - 1] === '0') to--;
  if (from === to) return ['', 0, ''];
  const exponent = Number(power) - after.length + all.length - to;
  return [all.slice(from, to), exponent, sign === '-' ? '-' : ''];
}

/** Whether a number prints as the decimal that its literal writes. `0.99999999999999999` prints as 1. */
export function isExact(value: number, literal: string): boolean {
  const plain = String(value);
  if (plain === literal) return true;
  const written = decimalOf(literal);
  return written !== undefined && String(written) === String(decimalOf(plain));
}

/** Whether a literal writes an integer, such as `5.0` or `1e3`. */
export const writesInteger = (literal: string): boolean => (decimalOf(literal)?.[1] ?? -1) >= 0;

/** Whether a literal writes a decimal that isn't an integer, although its value may be one (`4.99999999999999999`). */
export const writesFraction = (literal: string): boolean =>
  /\.|e-/i.test(literal) && (decimalOf(literal)?.[1] ?? 0) < 0;

/** How numbers were written, by container and key, where `JSON.stringify` writes them differently (`1.0`, `-0`). */
const literals = new WeakMap<object, Map<string, string>>();
/** Whether there is any. Few programs ever read one, and a replacer costs as much as writing without. */
let hasLiterals = false;

/** Matches texts that may contain a number in a notation that `JSON.stringify` wouldn't produce. */
export const oddNumber: RegExp = /\d\.\d*0(?!\d)|\d[eE][+-]?\d|-0|\.0{6}|\d[\d.]{15}/;
const strict = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** `JSON.rawJSON`, and the source text for a reviver: missing in old browsers, where numbers are written plainly. */
const rawJson = (): ((text: string) => unknown) | undefined =>
  (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
type Reviver = (this: object, key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** `JSON.parse` that remembers how numbers were written, for `stringifyJson`. */
export function parseJson(text: string): JsonValue {
  if (!rawJson() || !oddNumber.test(text)) return JSON.parse(text);
  const revive: Reviver = function (key, value, { source } = {}) {
    if (typeof value === 'number' && source !== undefined) note(this, key, value, source);
    return value;
  };
  try {
    return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
  } catch {
    // A reviver overflows the stack on deep nesting.
    return JSON.parse(text);
  }
}

/** `JSON.stringify` that writes numbers as `parseJson` found them. */
export function stringifyJson(value: unknown): string {
  try {
    return hasLiterals ? JSON.stringify(value, asWritten) : JSON.stringify(value);
  } catch {
    // A replacer overflows the stack on deep nesting.
    return JSON.stringify(value);
  }
}

/** The text of a value with numbers that `JSON.stringify` would change; undefined for all other values. */
export function textAsWritten(value: unknown): string | undefined {
  if (!hasLiterals) return undefined;
  try {
    const text = stringifyJson(value);
    return text === JSON.stringify(value) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The JSON text of the value under a key. */
export function stringifyAt(container: object, key: string | number): string {
  const held = (container as Record<string | number, unknown>)[key];
  return stringifyJson(asWritten.call(container, String(key), held));
}

/**
 * Lets the numbers of a mended value be written as in its original. A number that was moved is found by its value, if all
 * equal ones are written alike.
 *
 * @param moved whether to look for moved numbers; false if numbers were made from text
 * @param literalOf how the tolerant reader found a number
 */
export function keepLiterals(original: unknown, mended: unknown, moved: boolean, literalOf: LiteralOf): void {
  const from = numbersIn(original, literalOf);
  if (from.every(({ plain, text }) => plain === text)) return;
  const to = numbersIn(mended, () => undefined);
  const byPath = new Map(from.map((one) => [one.path, one]));
  const [groups, made] = [from, to].map((all) => Map.groupBy(all, ({ plain }) => plain));
  for (const { path, container, key, plain, value } of to) {
    const same = byPath.get(path);
    const equal = groups?.get(plain) ?? [];
    const alike =
      moved && equal.length === made?.get(plain)?.length && equal.every((one) => one.text === equal[0]?.text);
    const text = same?.plain === plain ? same.text : alike ? equal[0]?.text : undefined;
    if (text !== undefined) note(container, key, value, text);
  }
}

/** Lets a number be written as the number that it is a copy of. */
export function copyLiteral([from, key]: Place, [to, name]: Place): void {
  const held = (from as Record<string | number, unknown>)[key];
  const text = typeof held === 'number' ? literalAt(from, String(key), held) : undefined;
  if (text !== undefined) note(to, String(name), held as number, text);
}

/** A key of an object or list. */
type Place = readonly [container: object, key: string | number];

/** How the scalar under a key was written, if known. */
type LiteralOf = (container: object, key: string | number) => string | undefined;

interface WrittenNumber {
  readonly path: string;
  readonly container: object;
  readonly key: string;
  readonly value: number;
  /** As `JSON.stringify` writes it, and as it was written. */
  readonly plain: string;
  readonly text: string;
}

function numbersIn(value: unknown, literalOf: LiteralOf, path = '', found: WrittenNumber[] = []): WrittenNumber[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, held] of Object.entries(value)) {
    const at = `${path}\n${key}`;
    if (typeof held !== 'number') numbersIn(held, literalOf, at, found);
    else {
      const plain = JSON.stringify(held);
      const mark = literalOf(value, Array.isArray(value) ? Number(key) : key);
      const text = literalAt(value, key, held) ?? (mark !== undefined && strict.test(mark) ? mark : plain);
      found.push({ path: at, container: value, key, value: held, plain, text });
    }
  }
  return found;
}

function note(container: object, key: string, value: number, text: string): void {
  if (text === JSON.stringify(value)) return;
  const known = literals.get(container);
  if (known) known.set(key, text);
  else literals.set(container, new Map([[key, text]]));
  hasLiterals = true;
}

/** The literal under a key, if the number there is still the same. */
function literalAt(container: object, key: string, held: number): string | undefined {
  const text = literals.get(container)?.get(key);
  return text !== undefined && Object.is(Number(text), held) ? text : undefined;
}

function asWritten(this: object, key: string, held: unknown): unknown {
  const text = typeof held === 'number' ? literalAt(this, key, held) : undefined;
  return text === undefined ? held : (rawJson()?.(text) ?? held);
}
