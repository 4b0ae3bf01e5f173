import type { Problem } from '../../json/problem.ts';
import { readTolerant } from '../../json/read-json.ts';
import { Marks } from '../../json/reading.ts';
import type { Repair, RepairKind } from '../../json/repair.ts';
import { equal, hasOwn, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { type CallNotes, newCallNotes } from '../call/call-notes.ts';
import { argumentKeys, encodedObject, isOther, nameKeys, wrapperKeys } from '../call/call-shape.ts';
import { applyTypes } from '../call/typing.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { type PythonCall, readPythonCalls } from '../python/parse-call.ts';
import type { Computed, Source, Sources } from '../python/state.ts';
import { wordAt } from '../python/tokens.ts';

/** A call found in a prompted answer. */
export interface PromptedCall {
  readonly name: string;
  readonly arguments: unknown;
  /** The arguments as written, where they are an object of JSON or Python: what `mend()` reads. */
  readonly source?: string;
  /** False where it was cut off. */
  readonly whole: boolean;
  /** What reading found wrong already: a key given twice with two values, a key that is forbidden. */
  readonly problems?: readonly Problem[];
  /** What was inferred where it was read. */
  readonly read?: readonly Repair[];
}

/** What is known of the tools an answer may call. */
export interface OfferedTools {
  /** No tools were told, so that any name may be one. */
  readonly any: boolean;
  readonly has: (name: string) => boolean;
  readonly schema: (name: string) => JsonSchema | undefined;
  /** A Python call with its constants filled in. */
  readonly fill: (call: PythonCall) => PythonCall;
  /** It is JSON to the letter, so that what has another shape than calls have is data; a list in a fence may name tools as keys. */
  readonly strict?: boolean | 'list';
  /** How the numbers of the bracket that is being read were written. */
  readonly marks?: Marks | undefined;
  /** Where the lists and objects of that bracket stand in the text. */
  readonly text?: string;
  readonly sources?: Sources;
  /** What it computes. */
  readonly computed?: readonly Computed[];
}

/** Asked in words and not by a format, models find more names for the same things. */
const names = [...nameKeys, 'func', 'api', 'call'];
const given = [...argumentKeys, 'inputs', 'parameter', 'argument', 'function_args'];
const wrappers = [...wrapperKeys, 'functions', 'call', 'tools', 'actions', 'action', 'result', 'answer'];
const beside = ['id', 'type', 'index', 'call_id', 'tool_call_id'];
export const own = new Set<string>([...names, ...given, ...beside]);
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
/** Calls in lists in wrappers in text in lists: no answer goes deeper. */
const deepest = 6;

/** The calls a value holds, in every shape that answers to "give me the calls" come in; empty where it holds none. */
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
  ...{ path: [key], code: 'duplicate_key', message: `Field '${key}' is given twice, with two values` },
});

/** Text that is nothing but calls: Python, a name and its JSON, or JSON of any other shape here. */
function inText(text: string, known: OfferedTools, depth: number): PromptedCall[] {
  const { calls, rest } = readPythonCalls(text);
  if (calls.length > 0 && rest === '' && calls.every((call) => isMeant(call, text, known))) {
    return calls.flatMap((call) => {
      const [inner] = call.positional;
      const wrapped = call.name === 'print' && call.positional.length === 1 && typeof inner === 'string';
      const held = wrapped ? callsIn(inner, known, depth) : [];
      // Inside a list that was closed a call lacks only its own bracket.
      return held.length > 0 ? held : [closed(promptedCall(known.fill(call), known))];
    });
  }
  const trimmed = text.trim();
  // A call in JSON that a string holds is a text that somebody wrote down.
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return [];
  const word = wordAt(trimmed, 0);
  const after = word && known.has(word.word) ? trimmed.slice(word.end).trimStart() : '';
  const input = after.startsWith('{') ? readTolerant(after).value : undefined;
  return word && isObject(input) ? [{ name: word.word, arguments: input, source: after, whole: true }] : [];
}

const isInferred = ({ certainty }: Repair): boolean => certainty !== 'lossless';

/** A call with what was found where its text was read. */
export const withProblems = (call: PromptedCall, problems: readonly Problem[]): PromptedCall =>
  problems.length > 0 ? { ...call, problems: [...(call.problems ?? []), ...problems] } : call;

/** A call with what was inferred where its text was read. */
const withRead = (call: PromptedCall, read: readonly Repair[]): PromptedCall =>
  read.length > 0 ? { ...call, read: [...(call.read ?? []), ...read] } : call;

const inferred = (kind: RepairKind, before?: JsonValue): Repair => ({ path: [], kind, before, certainty: 'inferred' });

/** A call that lacks only its own bracket. */
const closed = (call: PromptedCall): PromptedCall =>
  call.whole ? call : { ...call, whole: true, read: [...(call.read ?? []), inferred('closer')] };

/** A call whose arguments stand where calls have none. */
const reshaped = (name: string, input: unknown, read: readonly Repair[]): PromptedCall => ({
  ...{ name, arguments: input, whole: true },
  ...(read.length > 0 && { read }),
});

/** A Python call with its arguments by name, and of the types their schema names. */
export function promptedCall(call: PythonCall, known: OfferedTools): PromptedCall {
  const { name, whole } = call;
  const schema = known.schema(name);
  const found = newCallNotes(call.problems);
  const input = applyTypes(bindArguments(call, schema, found), schema, call.marks, found);
  if (whole && !call.closed) found.read.push(inferred('closer', ')'));
  return { name, arguments: input, whole, ...told(found) };
}

/** A known tool's call, or one that reads as nothing else: `Paris (France)` and `f(x)` are no calls. */
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
  // One item that is no call makes all of them data.
  return held.some((calls) => calls?.length === 0) ? [] : held.flatMap((calls) => calls ?? []);
}

/** A list of names, each with its arguments behind it: `['f', 'a=1', 'b=2', 'g', {'c': 3}]`. */
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

function inObject(object: JsonObject, known: OfferedTools, depth: number): PromptedCall[] {
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
    const named = given.find((one) => one !== key && hasOwn(object, one));
    // A call in quotes under a key is a text that somebody wrote down.
    if (!isName(name)) return [];
    if (named !== undefined) {
      // A key that calls have not, a second name or other arguments make it data: a decision, a record, a plan.
      const twice =
        names.some((one) => isObject(object[one])) ||
        given.some((one) => one !== key && hasOwn(object, one) && !equal(object[one], object[named]));
      if (twice || !keys.every((one) => own.has(one)) || called.some((one) => object[one] !== name)) return [];
      // A record may have these keys too, with text or a number where a call has an object.
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

/** Calls in the one wrapper that the formats of providers have. */
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
  const input = argumentsOf(typeof value === 'string' && typeof text === 'string' ? text : value, name, known, found);
  return withSource(
    { ...reshaped(name, input, [...other, ...found.read]), ...told({ ...found, read: [] }) },
    input,
    known,
  );
}

const otherName: Problem = {
  ...{ path: [], code: 'ambiguous', message: 'Root object has a name with two readings; send the call as JSON' },
};

/** Reads an object that is no JSON as such, whatever its arguments are: what is wrong around them is a fault of the call. */
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

/** Reads text, and keeps what is wrong with it and what was inferred. */
function noted(text: string, found: CallNotes): ReturnType<typeof readTolerant> {
  const reading = readTolerant(text);
  found.problems.push(...reading.problems);
  found.read.push(...reading.repairs.filter(isInferred));
  return reading;
}

/** A call with its arguments as written, where they stand in the text. */
function withSource(call: PromptedCall, value: unknown, known: OfferedTools): PromptedCall {
  const at = isObject(value) ? sourceOf(value, known) : undefined;
  if (!at || known.text === undefined) return call;
  const text = known.text.slice(at.start, at.end);
  // Arithmetic on numbers has a value in Python alone.
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

/** A call whose arguments stand beside its name. */
function flatCall(name: string, rest: JsonObject, object: JsonObject, key: string, known: OfferedTools): PromptedCall {
  const at = sourceOf(object, known);
  if (!at || known.text === undefined) return reshaped(name, rest, [inferred('wrapper')]);
  const found = newCallNotes();
  const { value, marks } = noted(known.text.slice(at.start, at.end), found);
  if (!isObject(value) || value[key] !== name) return reshaped(name, rest, [inferred('wrapper')]);
  for (const one of [key, 'type']) delete value[one];
  const input = applyTypes(value, known.schema(name), marks, found, () => true);
  return { ...reshaped(name, input, [inferred('wrapper'), ...found.read]), ...told({ ...found, read: [] }) };
}

/** What can be arguments in JSON: an object, also as text or in a list, or nothing. */
const isGiven = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' ? /^\s*(?:\[|$)/.test(value) || encodedObject.test(value) : typeof value === 'object';

/** Arguments beside the name: each is one that the tool has. */
const isFlat = (rest: JsonObject, schema: JsonSchema | undefined): boolean => {
  const properties = propertiesOf(schema);
  const keys = Object.keys(rest);
  return keys.length > 0 && keys.every((one) => hasOwn(properties, one));
};

/** What stands under a tool's own name: its arguments, or a list of these for several calls. */
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
  // What stands in the text is read there; what was read from a string keeps how its numbers were written.
  if (isObject(value))
    return sourceOf(value, known) ? value : applyTypes(value, known.schema(name), known.marks, found, () => true);
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
  // Only an object is the arguments: which field takes which item is not said.
  return value;
}

const isPair = (value: JsonValue): value is { name: string; value: JsonValue } =>
  isObject(value) && typeof value.name === 'string' && hasOwn(value, 'value');

const isName = (text: string): boolean => /^\s*[\p{L}_][\p{L}\p{N}_.:/\\-]*\s*$/u.test(text);

/** A tool's definition given back is no call. */
function isDefinition(object: JsonObject): boolean {
  const schema = object.parameters ?? object.input_schema ?? object.inputSchema;
  if (!isObject(schema)) return false;
  if (isObject(schema.properties) && (hasOwn(schema, 'type') || hasOwn(object, 'description'))) return true;
  const fields = Object.values(schema);
  return fields.length > 0 && fields.every((field) => isObject(field) && typeof field.type === 'string');
}

/** `f(city)` and `f(city=city)` say what the parameters are called, and give no values. */
function namesParameters(call: PythonCall, schema: JsonSchema | undefined): boolean {
  const properties = propertiesOf(schema);
  return call.bare.some((word) => hasOwn(properties, word));
}

/** In prose a call that only names its parameters, or leaves out what it needs, is talk about the tool. */
export function isMention(call: PythonCall, schema: JsonSchema | undefined): boolean {
  if (namesParameters(call, schema)) return true;
  if (call.positional.length > 0 && call.positional.length === call.bare.length) return true;
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const none = call.positional.length === 0 && Object.keys(call.named).length === 0;
  return none ? required.length > 0 && call.closed : call.positional.some((value) => value === '...' || value === '…');
}
