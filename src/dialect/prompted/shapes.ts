import type { Problem } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import { Marks } from '../../json/reading.ts';
import type { Repair, RepairKind } from '../../json/repair.ts';
import { equal, hasOwn, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { type CallNotes, newCallNotes } from '../call/call-notes.ts';
import { argumentKeys, isOther, nameKeys, wrapperKeys } from '../call/call-shape.ts';
import { applyTypes } from '../call/typing.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { type PythonCall, readPythonCalls } from '../python/parse-call.ts';
import { wordAt } from '../python/tokens.ts';

/** A call found in a prompted answer. */
export interface PromptedCall {
  readonly name: string;
  readonly arguments: unknown;
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
  readonly marks?: Marks;
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
  if (Array.isArray(value)) return inList(value, known, depth - 1);
  return isObject(value) ? inObject(value, known, depth - 1) : [];
}

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
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const { value: read, problems } = readJson(trimmed);
    return typeof read === 'object' && read !== null
      ? callsIn(read, known, depth).map((call) => withProblems(call, problems))
      : [];
  }
  const word = wordAt(trimmed, 0);
  const after = word && known.has(word.word) ? trimmed.slice(word.end).trimStart() : '';
  const { value: input, problems } = after.startsWith('{') ? readJson(after) : none;
  return word && isObject(input) ? [withProblems({ name: word.word, arguments: input, whole: true }, problems)] : [];
}

const none = { value: undefined, problems: [] };

/** A call with what was found where its text was read. */
export const withProblems = (call: PromptedCall, problems: readonly Problem[]): PromptedCall =>
  problems.length > 0 ? { ...call, problems: [...(call.problems ?? []), ...problems] } : call;

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
    return [reshaped(name, input, [inferred('list')])];
  }
  if (typeof name === 'string' && list.length > 1 && isName(name) && known.has(name)) return inTurns(list, known);
  const held = list.map((item, at) => {
    const before = list[at - 1];
    const named = typeof before === 'string' && known.has(before) && isObject(item);
    if (named) return [reshaped(before, item, [inferred('list')])];
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
  return turns.map(({ name, positional, named }) => {
    const schema = known.schema(name);
    const found = newCallNotes();
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
    if (known.has(name)) return isFlat(rest, known.schema(name)) ? [reshaped(name, rest, [inferred('wrapper')])] : [];
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
  const input = argumentsOf(object[named], name, known, found);
  return { ...reshaped(name, input, [...other, ...found.read]), ...told({ ...found, read: [] }) };
}

/** What can be arguments in JSON: an object, also as text or in a list, or nothing. */
const isGiven = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' ? /^\s*(?:[{[]|$)/.test(value) : typeof value === 'object';

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
    return {
      ...reshaped(name, input, [inferred(list[0] === value ? 'wrapper' : 'list'), ...found.read]),
      ...told({ ...found, read: [] }),
    };
  });
}

function argumentsOf(value: JsonValue | undefined, name: string, known: OfferedTools, found: CallNotes): unknown {
  if (isObject(value)) {
    // Only what is wrong with how numbers are written counts here; types are given later.
    if (known.marks?.unsafe)
      applyTypes(value, known.schema(name), known.marks, { read: [], problems: found.problems }, () => true);
    return asWritten(value, known.schema(name), known.marks);
  }
  if (!Array.isArray(value)) return value;
  const [only] = value;
  if (value.length === 1 && isObject(only) && !hasOwn(only, 'value')) {
    found.read.push(inferred('list'));
    return only;
  }
  if (value.length > 0 && value.every(isPair)) {
    found.read.push(inferred('lines'));
    return Object.fromEntries(value.map((pair) => [pair.name, pair.value]));
  }
  // Only an object is the arguments: which field takes which item is not said.
  return value;
}

/** Numbers for text fields as they were written: a version `1.0` is not `1`. */
function asWritten(value: JsonObject, schema: JsonSchema | undefined, marks: Marks | undefined): JsonObject {
  const properties = propertiesOf(schema);
  const changed: JsonObject = {};
  for (const key of Object.keys(value)) {
    const mark = marks?.get(value, key);
    const property = mark && hasOwn(properties, key) ? properties[key] : undefined;
    if (mark && isObject(property) && property.type === 'string') changed[key] = mark.literal;
  }
  return Object.keys(changed).length > 0 ? { ...value, ...changed } : value;
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
