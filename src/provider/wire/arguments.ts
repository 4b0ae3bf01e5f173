import { readJson } from '../../json/read-json.ts';
import { scanSpans } from '../../json/spans.ts';
import { equal, isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../json/value.ts';

/** Arguments as text, for APIs that use text. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyJson(value ?? {});

/** Arguments as an object, for APIs that use objects; undefined if the text isn't a JSON object. */
export function argumentsObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return isObject(value) ? value : undefined;
  if (value.trim() === '') return {};
  try {
    const read: unknown = parseJson(value);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Mends the arguments of an earlier call for APIs that only accept objects, so that one bad call in the history doesn't
 * fail every later request. `what` describes the change.
 */
export function mendedArguments(value: unknown): { readonly object: JsonObject; readonly what?: string } {
  const object = argumentsObject(value);
  if (object) return { object };
  const read = typeof value === 'string' ? readJson(value) : undefined;
  if (read?.problems.length === 0 && isObject(read.value)) {
    return { object: read.value, what: 'Not a JSON object; mended' };
  }
  return { object: {}, what: 'Not a JSON object; replaced by {}' };
}

/**
 * Parses arguments that are exactly what `JSON.stringify` produces: a provider package may have serialized an object,
 * which hides a truncation. Text written by the model stays text.
 */
export function asValue(text: string): unknown {
  const value = argumentsObject(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}

/** Source texts of objects and lists in which a key is repeated, because `JSON.parse` only keeps its last value. */
const sources = new WeakMap<object, string>();

/** Arguments that are an object. The name of the field may be escaped. */
const mayHoldArguments = /"(?:args|arguments|input)"\s*:\s*[{[]|\\u00/;

/** `parseJson` for responses and their frames, so that `asReceived` knows which arguments repeat a key. */
export function parseBody(text: string): JsonValue {
  const value = parseJson(text);
  if (mayHoldArguments.test(text)) noteRepeats(text, value);
  return value;
}

/**
 * Arguments as they were received. An object that repeats a key is returned as its source text, because the object
 * itself has only the last of the values.
 */
export const asReceived = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? (sources.get(value) ?? value) : value;

/** The values in an object or list that hasn't ended: by key, and whether a key is repeated in one of them. */
interface OpenValue {
  readonly byKey: Map<string, string[]>;
  repeats: boolean;
}

function noteRepeats(text: string, root: JsonValue): void {
  const open: OpenValue[] = [];
  let noted = false;
  scanSpans(text, (path, start, end) => {
    const depth = path.length;
    const source = text.slice(start, end);
    const inner = open[depth];
    open.length = Math.min(open.length, depth);
    const repeated = [...(inner?.byKey ?? [])].filter(([, values]) => values.length > 1);
    const repeats = repeated.length > 0 || inner?.repeats === true;
    if (repeats || noted) {
      noted = true;
      const value = valueAt(root, path);
      for (const [key, values] of repeated) noteValues(isObject(value) ? value[key] : undefined, key, values);
      // Of repeated values, the last one counts.
      if (typeof value === 'object' && value !== null) repeats ? sources.set(value, source) : sources.delete(value);
    }
    if (depth === 0) return;
    while (open.length < depth) open.push({ byKey: new Map(), repeats: false });
    const outer = open[depth - 1] as OpenValue;
    outer.repeats ||= repeats;
    const key = path[depth - 1];
    if (typeof key === 'string') outer.byKey.set(key, [...(outer.byKey.get(key) ?? []), source]);
  });
}

/** Remembers the values of a repeated key for the last of them, unless they are equal. */
function noteValues(last: JsonValue | undefined, key: string, values: readonly string[]): void {
  if (typeof last !== 'object' || last === null) return;
  if (values.every((one) => equal(parseJson(one), last))) return;
  sources.set(last, `{${values.map((one) => `${JSON.stringify(key)}:${one}`).join()}}`);
}

function valueAt(root: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of path) value = (value as Record<string | number, JsonValue> | undefined)?.[key];
  return value;
}
