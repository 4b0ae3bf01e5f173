import { scanSpans } from '../../json/spans.ts';
import { equal, isObject, type JsonValue, parseJson } from '../../json/value.ts';

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
