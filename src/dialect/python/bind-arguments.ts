import type { Problem } from '../../json/problem.ts';
import { hasOwn, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { type CallNotes, newCallNotes } from '../call/call-notes.ts';
import { readPythonBracket } from './brackets.ts';
import { ambiguous } from './items.ts';
import type { PythonCall } from './parse-call.ts';

/**
 * The arguments of a Python call by name. Positional ones get the names of the schema's properties in order, if those
 * are free; a dict as the only argument is the arguments themselves. Others are kept as `args`, which validation
 * refuses.
 */
export function bindArguments(
  call: Pick<PythonCall, 'positional' | 'named' | 'marks'> & Partial<Pick<PythonCall, 'expressions' | 'inferred'>>,
  schema: JsonSchema | undefined,
  found: CallNotes = newCallNotes(),
): JsonObject {
  const { positional, named, marks, expressions = [], inferred = [] } = call;
  const names = Object.keys(propertiesOf(schema));
  for (const { key, text, fault } of expressions) {
    if (fault) found.problems.push(ambiguous(nameOf(key, names), fault, text));
    else tell(found.problems, nameOf(key, names), text);
  }
  for (const { key, kind, before } of inferred) {
    // As in JSON, a line break that isn't escaped changes nothing.
    const certainty = kind === 'newline' ? 'lossless' : 'inferred';
    found.read.push({ path: key === undefined ? [] : [nameOf(key, names)], kind, before, certainty });
  }
  if (positional.length === 0) return named;
  const [only] = positional;
  if (positional.length === 1 && isObject(only) && Object.keys(named).length === 0 && isAll(only, names, schema)) {
    found.read.push({ path: [], kind: 'wrapper', before: only, certainty: 'inferred' });
    return only;
  }
  const bound: JsonObject = {};
  const left: JsonValue[] = [];
  positional.forEach((value, index) => {
    const pairs = pairsOf(value, names);
    if (pairs && !Object.keys(pairs).some((key) => hasOwn(named, key) || hasOwn(bound, key))) {
      for (const key of Object.keys(pairs)) copy(pairs, key, bound, key, marks);
      found.read.push({ path: [], kind: 'lines', before: value, certainty: 'inferred' });
      return;
    }
    const name = names[index];
    if (name === undefined || hasOwn(named, name)) {
      left.push(value);
      return;
    }
    copy(positional, index, bound, name, marks);
    found.read.push({ path: [name], kind: 'key', before: undefined, certainty: 'inferred' });
  });
  for (const key of Object.keys(named)) copy(named, key, bound, key, marks);
  if (left.length > 0 && !hasOwn(bound, 'args')) bound.args = left;
  if (left.length > 0 && schema !== undefined) found.problems.push(noName(left));
  return bound;
}

/** Copies a value, and how it was written. */
function copy(from: object, at: string | number, to: JsonObject, key: string, marks: PythonCall['marks']): void {
  to[key] = (from as Readonly<Record<string | number, JsonValue>>)[at] as JsonValue;
  const mark = marks.get(from, at);
  if (mark) marks.set(to, key, mark);
}

const nameOf = (key: string | number, names: readonly string[]): string =>
  typeof key === 'string' ? key : (names[key] ?? 'args');

/** Reports an argument that would have to be evaluated, once. */
function tell(problems: Problem[], name: string, text: string): void {
  if (problems.some(({ path, code }) => code === 'syntax' && path[0] === name)) return;
  const says = text === '' ? 'has no value' : `is an expression, not a value: ${JSON.stringify(text.slice(0, 80))}`;
  problems.push({ path: [name], code: 'syntax', received: text.slice(0, 500), message: `Field '${name}' ${says}` });
}

const noName = (left: readonly JsonValue[]): Problem => ({
  path: [],
  code: 'syntax',
  message: `Root object has ${left.length} unnamed values that match no field`,
});

/** Keyword arguments quoted as a whole: `'days=3'`, `'(city="Paris", days=3)'`. */
function pairsOf(value: JsonValue, names: readonly string[]): JsonObject | undefined {
  if (typeof value !== 'string' || !/^\s*\(?\s*[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)/u.test(value)) return undefined;
  const text = value.trim();
  const { named, positional, expressions } = readPythonBracket(text.startsWith('(') ? text : `(${text}\n)`, 0, 'f');
  const keys = Object.keys(named);
  const plain = positional.length === 0 && !expressions.some(({ fault }) => fault);
  return keys.length > 0 && plain && keys.every((key) => names.includes(key)) ? named : undefined;
}

/** Whether a dict contains all arguments, and isn't the first of them. */
function isAll(given: JsonObject, names: readonly string[], schema: JsonSchema | undefined): boolean {
  if (names.length === 0) return true;
  const keys = Object.keys(given);
  if (keys.length > 0 && keys.every((key) => names.includes(key))) return true;
  const first = propertiesOf(schema)[names[0] as string];
  return isObject(first) && first.type !== 'object' && first.type !== undefined;
}
