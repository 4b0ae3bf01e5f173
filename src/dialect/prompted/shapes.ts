import type { Problem } from '../../json/problem.ts';
import { readTolerant } from '../../json/read-json.ts';
import { Marks } from '../../json/reading.ts';
import type { Repair, RepairKind } from '../../json/repair.ts';
import { equal, hasOwn, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { encodedFaults } from '../call/arguments.ts';
import { type CallNotes, newCallNotes } from '../call/call-notes.ts';
import { argumentKeys, encodedObject, isOther, nameKeys, wrapperKeys } from '../call/call-shape.ts';
import { applyTypes } from '../call/typing.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { type PythonCall, readPythonCalls } from '../python/parse-call.ts';
import type { Computed, Source, Sources } from '../python/state.ts';
import { wordAt } from '../python/tokens.ts';

/** A call in a prompted response. */
export interface PromptedCall {
  readonly name: string;
  readonly arguments: unknown;
  /** The arguments as written, if they are a JSON or Python object. `mend()` reads them. */
  readonly source?: string;
  /** False if it was truncated. */
  readonly whole: boolean;
  /** Problems that were detected while reading: a key with two values, a forbidden key. */
  readonly problems?: readonly Problem[];
  /** Repairs that were inferred while reading. */
  readonly read?: readonly Repair[];
}

/** The tools that a response can call. */
export interface OfferedTools {
  /** Whether the tools are unknown, so that any name may be a tool. */
  readonly any: boolean;
  readonly has: (name: string) => boolean;
  readonly schema: (name: string) => JsonSchema | undefined;
  /** A Python call with its constants filled in. */
  readonly fill: (call: PythonCall) => PythonCall;
  /** Whether it is strict JSON, so that other shapes are data. A list in a fence can have tool names as keys. */
  readonly strict?: boolean | 'list';
  /** The notation of the numbers in the current bracket. */
  readonly marks?: Marks | undefined;
  /** The positions of the lists and objects of that bracket in the text. */
  readonly text?: string;
  readonly sources?: Sources;
  /** The values that it computes. */
  readonly computed?: readonly Computed[];
}

/** If the prompt doesn't define a format, models use more names for the same things. */
const names = [...nameKeys, 'func', 'api', 'call'];
export const argumentNames: readonly string[] = [...argumentKeys, 'inputs', 'parameter', 'argument', 'function_args'];
const wrappers = [...wrapperKeys, 'functions', 'call', 'tools', 'actions', 'action', 'result', 'answer'];
const beside = ['id', 'type', 'index', 'call_id', 'tool_call_id'];
export const own = new Set<string>([...names, ...argumentNames, ...beside]);
/** The keys that calls written as JSON have. */
const plain = new Set<string>([
  'name',
  'tool',
  'tool_name',
  'function',
  'arguments',
  'parameters',
  'input',
  'args',
  ...beside,
]);
const plainWrappers = new Set<string>(wrapperKeys);
/** The maximum nesting of lists, wrappers and text around calls. */
const deepest = 6;

/** The calls in a value, in any shape that models use for calls. Empty if there are none. */
export function callsIn(value: JsonValue, known: OfferedTools, depth = deepest): PromptedCall[] {
  if (depth === 0) return [];
  if (typeof value === 'string') return inText(value, known, depth - 1);
  const calls = Array.isArray(value)
    ? inList(value, known, depth - 1)
    : isObject(value)
      ? inObject(value, known, depth - 1)
      : [];
  const twice = calls.length > 0 ? sourceOf(value, known)?.repeated.map(repeated) : undefined;
  return twice?.length ? calls.map((call) => withProblems(call, twice)) : calls;
}

const sourceOf = (
  value: JsonValue | readonly JsonValue[] | undefined,
  { sources }: OfferedTools,
): Source | undefined => (typeof value === 'object' && value !== null ? sources?.get(value) : undefined);

const repeated = (key: string): Problem => ({
  path: [key],
  code: 'duplicate_key',
  message: `Field '${key}' is given twice, with two values`,
});

/** Text that consists of calls: Python, a name and its JSON, or JSON of any other supported shape. */
function inText(text: string, known: OfferedTools, depth: number): PromptedCall[] {
  const { calls, rest } = readPythonCalls(text);
  if (calls.length > 0 && rest === '' && calls.every((call) => isMeant(call, text, known))) {
    return calls.flatMap((call) => {
      const [inner] = call.positional;
      const wrapped = call.name === 'print' && call.positional.length === 1 && typeof inner === 'string';
      const held = wrapped ? callsIn(inner, known, depth) : [];
      // In a closed list, a call only lacks its own bracket.
      return held.length > 0 ? held : [closed(promptedCall(known.fill(call), known))];
    });
  }
  const trimmed = text.trim();
  // A JSON call inside a string is quoted text.
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return [];
  const word = wordAt(trimmed, 0);
  const after = word && known.has(word.word) ? trimmed.slice(word.end).trimStart() : '';
  const input = after.startsWith('{') ? readTolerant(after).value : undefined;
  return word && isObject(input) ? [{ name: word.word, arguments: input, source: after, whole: true }] : [];
}

const isInferred = ({ certainty }: Repair): boolean => certainty !== 'lossless';

/** A call with the problems of its text. */
export const withProblems = (call: PromptedCall, problems: readonly Problem[]): PromptedCall =>
  problems.length > 0 ? { ...call, problems: [...(call.problems ?? []), ...problems] } : call;

/** A call with the repairs of its text. */
export const withRead = (call: PromptedCall, read: readonly Repair[]): PromptedCall =>
  read.length > 0 ? { ...call, read: [...(call.read ?? []), ...read] } : call;

const inferred = (kind: RepairKind, before?: JsonValue): Repair => ({ path: [], kind, before, certainty: 'inferred' });

/** A call that only lacks its own bracket. */
const closed = (call: PromptedCall): PromptedCall =>
  call.whole ? call : { ...call, whole: true, read: [...(call.read ?? []), inferred('closer')] };

/** A call whose arguments are in a place where calls have none. */
const reshaped = (name: string, input: unknown, read: readonly Repair[]): PromptedCall => ({
  name,
  arguments: input,
  whole: true,
  ...(read.length > 0 && { read }),
});

/** A Python call with its arguments by name, converted to the types of their schema. */
export function promptedCall(call: PythonCall, known: OfferedTools): PromptedCall {
  const { name, whole } = call;
  const schema = known.schema(name);
  const found = newCallNotes(call.problems);
  const input = applyTypes(bindArguments(call, schema, found), schema, call.marks, found);
  if (whole && !call.closed) found.read.push(inferred('closer', ')'));
  return { name, arguments: input, whole, ...told(found) };
}

/** A call to a known tool, or text that can't be anything else: `Paris (France)` and `f(x)` aren't calls. */
function isMeant(call: PythonCall, text: string, known: OfferedTools): boolean {
  if (call.openString) return false;
  if (known.has(call.name)) return !namesParameters(known.fill(call), known.schema(call.name));
  const close = text.startsWith('(', call.start + call.name.length) || text.includes('\\_');
  return close && call.whole && (call.positional.length === 0 || call.bare.length === 0);
}

function inList(list: readonly JsonValue[], known: OfferedTools, depth: number): PromptedCall[] {
  const [name, input] = list;
  if (known.strict && !list.every(isObject) && !list.every((item) => typeof item === 'string' && !isName(item)))
    return [];
  if (list.length === 2 && typeof name === 'string' && isName(name) && isObject(input)) {
    return [withSource(reshaped(name, input, [inferred('list')]), input, known)];
  }
  if (typeof name === 'string' && list.length > 1 && isName(name) && known.has(name)) return inTurns(list, known);
  const held = list.map((item, at) => {
    const before = list[at - 1];
    const named = typeof before === 'string' && known.has(before) && isObject(item);
    if (named) return [withSource(reshaped(before, item, [inferred('list')]), item, known)];
    const names = typeof item === 'string' && known.has(item) && isObject(list[at + 1]);
    return names ? undefined : callsIn(item, known, depth);
  });
  // If one item isn't a call, all of them are data.
  return held.some((calls) => calls?.length === 0) ? [] : held.flatMap((calls) => calls ?? []);
}

/** A list of names, each followed by its arguments: `['f', 'a=1', 'b=2', 'g', {'c': 3}]`. */
function inTurns(list: readonly JsonValue[], known: OfferedTools): PromptedCall[] {
  const turns: { readonly name: string; readonly positional: JsonValue[]; readonly named: JsonObject }[] = [];
  for (const item of list) {
    const turn = turns.at(-1);
    if (typeof item === 'string' && known.has(item)) turns.push({ name: item, positional: [], named: {} });
    else if (turn && isObject(item)) Object.assign(turn.named, item);
    else turn?.positional.push(item);
  }
  const at = sourceOf(list, known);
  const text = at && known.text?.slice(at.start, at.end);
  return turns.map(({ name, positional, named }) => {
    const schema = known.schema(name);
    const found = newCallNotes();
    if (text !== undefined && turns.length === 1) noted(text, found);
    const bound = bindArguments({ positional, named, marks: new Marks() }, schema, found);
    return { name, arguments: applyTypes(bound, schema, undefined, found), whole: true, ...told(found) };
  });
}

const told = ({ read, problems }: CallNotes): Pick<PromptedCall, 'read' | 'problems'> => ({
  ...(read.length > 0 && { read }),
  ...(problems.length > 0 && { problems }),
});

/** A function with nothing but its name, and arguments next to it: as if the name were next to them. */
function besideFunction({ function: named, ...rest }: JsonObject): JsonObject | undefined {
  const [own, ...more] = Object.keys(rest).filter((key) => !beside.includes(key));
  const isNamed = isObject(named) && typeof named.name === 'string' && Object.keys(named).length === 1;
  const isGiven = own !== undefined && more.length === 0 && (argumentKeys as readonly string[]).includes(own);
  return isNamed && isGiven ? { name: named.name as string, ...rest } : undefined;
}

function inObject(written: JsonObject, known: OfferedTools, depth: number): PromptedCall[] {
  const object = besideFunction(written) ?? written;
  if (isDefinition(object) || (isOther(object) && !known.has('type'))) return [];
  const keys = Object.keys(object);
  if (known.strict && !keys.every((one) => plain.has(one)) && !isPlainWrapper(object, keys)) {
    const listed = known.strict === 'list' && keys.length === 1 && known.has(keys[0] as string);
    return listed ? underName(keys[0] as string, Object.values(object)[0] as JsonValue, known) : [];
  }
  const called = names.filter((one) => hasOwn(object, one) && typeof object[one] === 'string');
  const [key] = called;
  const name = key === undefined ? undefined : (object[key] as string);
  if (key !== undefined && name !== undefined) {
    const named = argumentNames.find((one) => one !== key && hasOwn(object, one));
    // A call in quotes under a key is quoted text.
    if (!isName(name)) return [];
    if (named !== undefined) {
      // With a key that calls don't have, a second name or other arguments, it is data: a decision, a record, a plan.
      const twice =
        names.some((one) => isObject(object[one])) ||
        argumentNames.some((one) => one !== key && hasOwn(object, one) && !equal(object[one], object[named]));
      if (twice || !keys.every((one) => own.has(one)) || called.some((one) => object[one] !== name)) return [];
      // A record may have these keys too, with text or a number instead of an object.
      if (known.strict && !isGiven(object[named])) return [];
      return [withArguments(name, object, key, named, known)];
    }
    const rest = Object.fromEntries(Object.entries(object).filter(([one]) => one !== key && one !== 'type'));
    if (known.has(name)) return isFlat(rest, known.schema(name)) ? [flatCall(name, rest, object, key, known)] : [];
  }
  if (keys.length > 0 && keys.every((one) => known.has(one))) {
    return keys.flatMap((one) => underName(one, object[one] as JsonValue, known));
  }
  const wrapper = wrappers.find((one) => hasOwn(object, one) && typeof object[one] === 'object');
  const alone = keys.every((one) => one === wrapper || beside.includes(one));
  if (wrapper === undefined || !alone) return [];
  const calls = callsIn(object[wrapper] as JsonValue, known, depth);
  const read = plain.has(wrapper) ? [] : [inferred('wrapper', wrapper)];
  return calls.map((call) => ({ ...call, read: [...read, ...(call.read ?? [])] }));
}

/** Calls in the wrapper that the API formats of providers use. */
const isPlainWrapper = (object: JsonObject, keys: readonly string[]): boolean =>
  keys.every((one) => beside.includes(one) || (plainWrappers.has(one) && typeof object[one] === 'object'));

function withArguments(
  name: string,
  object: JsonObject,
  key: string,
  named: string,
  known: OfferedTools,
): PromptedCall {
  const other = [key, named].filter((one) => !plain.has(one)).map((one) => inferred('wrapper', one));
  const found = newCallNotes();
  const value = object[named];
  const around = readAround(object, value, known, found);
  const text = isObject(around) ? around[named] : undefined;
  if (isObject(around) && around[key] !== name) found.problems.push(otherName);
  found.problems.push(...encodedFaults(value));
  const input = argumentsOf(typeof value === 'string' && typeof text === 'string' ? text : value, name, known, found);
  return withSource(
    { ...reshaped(name, input, [...other, ...found.read]), ...told({ ...found, read: [] }) },
    input,
    known,
  );
}

const otherName: Problem = {
  path: [],
  code: 'ambiguous',
  message: 'Root object has a name with two readings; send the call as JSON',
};

/** Reads an object that isn't JSON, whatever its arguments are. Problems around them are problems of the call. */
function readAround(
  object: JsonObject,
  value: JsonValue | undefined,
  known: OfferedTools,
  found: CallNotes,
): JsonValue | undefined {
  const whole = sourceOf(object, known);
  if (!whole || known.text === undefined) return undefined;
  const inner = sourceOf(value, known) ?? { start: whole.end, end: whole.end };
  const put = inner.start < whole.end ? JSON.stringify(value) : '';
  const text = known.text.slice(whole.start, inner.start) + put + known.text.slice(inner.end, whole.end);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return noted(text, found).value;
  }
}

/** Reads text, and collects its problems and repairs. */
function noted(text: string, found: CallNotes): ReturnType<typeof readTolerant> {
  const reading = readTolerant(text);
  found.problems.push(...reading.problems);
  found.read.push(...reading.repairs.filter(isInferred));
  return reading;
}

/** A call with its arguments as written in the text. */
function withSource(call: PromptedCall, value: unknown, known: OfferedTools): PromptedCall {
  const at = isObject(value) ? sourceOf(value, known) : undefined;
  if (!at || known.text === undefined) return call;
  const text = known.text.slice(at.start, at.end);
  // Arithmetic only has a value in Python.
  const sums = /^\{\s*'/.test(text) ? (known.computed?.slice(...at.computed) ?? []) : [];
  const read: Repair[] = [];
  let source = '';
  let from = at.start;
  for (const { start, end, value } of sums) {
    source += known.text.slice(from, start) + value;
    read.push(inferred('number', known.text.slice(start, end)));
    from = end;
  }
  source += known.text.slice(from, at.end);
  return withRead({ ...call, source }, read);
}

/** A call whose arguments are next to its name. */
function flatCall(name: string, rest: JsonObject, object: JsonObject, key: string, known: OfferedTools): PromptedCall {
  const at = sourceOf(object, known);
  if (!at || known.text === undefined) return reshaped(name, rest, [inferred('wrapper')]);
  const found = newCallNotes();
  const { value, marks } = noted(known.text.slice(at.start, at.end), found);
  if (!isObject(value) || value[key] !== name) return reshaped(name, rest, [inferred('wrapper')]);
  for (const one of [key, 'type']) delete value[one];
  const input = applyTypes(value, known.schema(name), marks, found, () => 'json');
  return { ...reshaped(name, input, [inferred('wrapper'), ...found.read]), ...told({ ...found, read: [] }) };
}

/** Values that can be arguments in JSON: an object, possibly as text or in a list, or nothing. */
const isGiven = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' ? /^\s*(?:\[|$)/.test(value) || encodedObject.test(value) : typeof value === 'object';

/** Arguments next to the name, all of which the tool has. */
const isFlat = (rest: JsonObject, schema: JsonSchema | undefined): boolean => {
  const properties = propertiesOf(schema);
  const keys = Object.keys(rest);
  return keys.length > 0 && keys.every((one) => hasOwn(properties, one));
};

/** The value under a tool's name: its arguments, or a list of arguments for several calls. */
function underName(name: string, value: JsonValue, known: OfferedTools): PromptedCall[] {
  const list = Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : [value];
  return list.map((one) => {
    const found = newCallNotes();
    const input = argumentsOf(one, name, known, found);
    const read = [inferred(list[0] === value ? 'wrapper' : 'list'), ...found.read];
    return withSource({ ...reshaped(name, input, read), ...told({ ...found, read: [] }) }, input, known);
  });
}

function argumentsOf(value: JsonValue | undefined, name: string, known: OfferedTools, found: CallNotes): unknown {
  // Arguments in the text are read there. Arguments from a string keep the notation of their numbers.
  if (isObject(value))
    return sourceOf(value, known) ? value : applyTypes(value, known.schema(name), known.marks, found, () => 'json');
  if (!Array.isArray(value)) return value;
  const [only] = value;
  if (value.length === 1 && isObject(only) && !hasOwn(only, 'value')) {
    found.read.push(inferred('list'));
    return only;
  }
  if (value.length > 0 && value.every(isPair)) {
    found.read.push(inferred('lines'));
    const at = sourceOf(value, known);
    const read = at && known.text !== undefined ? noted(known.text.slice(at.start, at.end), found).value : value;
    const pairs: JsonValue[] = Array.isArray(read) ? read : [];
    return Object.fromEntries(pairs.filter(isPair).map((pair) => [pair.name, pair.value]));
  }
  // Only an object can be the arguments, because a list doesn't name its fields.
  return value;
}

const isPair = (value: JsonValue): value is { name: string; value: JsonValue } =>
  isObject(value) && typeof value.name === 'string' && hasOwn(value, 'value');

const isName = (text: string): boolean => /^\s*[\p{L}_][\p{L}\p{N}_.:/\\-]*\s*$/u.test(text);

/** A repeated tool definition isn't a call. */
function isDefinition(object: JsonObject): boolean {
  const schema = object.parameters ?? object.input_schema ?? object.inputSchema;
  if (!isObject(schema)) return false;
  if (isObject(schema.properties) && (hasOwn(schema, 'type') || hasOwn(object, 'description'))) return true;
  const fields = Object.values(schema);
  return fields.length > 0 && fields.every((field) => isObject(field) && typeof field.type === 'string');
}

/** `f(city)` and `f(city=city)` only name the parameters, without values. */
function namesParameters(call: PythonCall, schema: JsonSchema | undefined): boolean {
  const properties = propertiesOf(schema);
  return call.bare.some((word) => hasOwn(properties, word));
}

/** In prose, a call that only names its parameters, or omits required ones, describes the tool. */
export function isMention(call: PythonCall, schema: JsonSchema | undefined): boolean {
  if (namesParameters(call, schema)) return true;
  if (call.positional.length > 0 && call.positional.length === call.bare.length) return true;
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const none = call.positional.length === 0 && Object.keys(call.named).length === 0;
  return none ? required.length > 0 && call.closed : call.positional.some((value) => value === '...' || value === '…');
}
