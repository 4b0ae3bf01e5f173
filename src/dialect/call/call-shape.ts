import type { Problem } from '../../json/problem.ts';
import { keepMarks } from '../../json/reading.ts';
import { equal, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Member, unquoted } from '../machine/json-scanner.ts';

/** Keys for a tool's name, most certain first. */
export const nameKeys = ['name', 'tool_name', 'function_name', 'tool', 'action', 'function', 'recipient_name'] as const;

/** Keys for the arguments. */
export const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'action_input',
  'tool_input',
  'tool_arguments',
  'params',
  'kwargs',
  'input',
] as const;

/** Keys for the call's id. */
export const idKeys = ['id', 'tool_call_id', 'call_id'] as const;

/** Keys of wrappers that contain a call or a list of calls. */
export const wrapperKeys = ['function', 'tool_call', 'function_call', 'tool_calls', 'function_calls', 'calls'] as const;

/** All keys that a call object can start with. */
export const callKeys = [...new Set<string>([...nameKeys, ...argumentKeys, ...idKeys, ...wrapperKeys, 'type'])];

const beside = new Set<string>(['index', 'type', ...nameKeys, ...argumentKeys, ...idKeys]);

/** Other keys next to a call's name and arguments, whose meaning is unknown. */
const keysBeside = (keys: readonly string[]): string[] => keys.filter((key) => !beside.has(key));

/** The only keys of an unmarked call. Any other key makes it data. */
const names = ['name', 'tool', 'tool_name', 'function'];
const inputs = ['arguments', 'parameters', 'input', 'args'];
const identityKeys = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id']);

/** Whether JSON is plainly a call, or a list of calls: a name, its arguments, and nothing unusual. */
export function isPlainCall(value: JsonValue | undefined, depth = 0): boolean {
  if (depth > 4) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isPlainCall(item, depth + 1));
  if (!isObject(value) || isOther(value)) return false;
  const keys = Object.keys(value).filter((key) => !identityKeys.has(key));
  if (keys.length === 1 && isObject(value.function)) return isPlainCall(value.function, depth + 1);
  const name = keys.find((key) => names.includes(key) && typeof value[key] === 'string');
  const given = keys.find((key) => inputs.includes(key));
  return keys.length === 2 && name !== undefined && given !== undefined && isArguments(value[given]);
}

const isArguments = (given: JsonValue | undefined): boolean =>
  isObject(given) || (typeof given === 'string' && encodedObject.test(given));

/** The start of an object as text, which may be encoded more than once. */
export const encodedObject = /^\s*(?:\\{0,7}"\s*){0,3}\{/;

const known = new Set<string>([...callKeys, ...identityKeys]);

/** Whether it names a tool, directly or in a wrapper. */
const isNamed = (item: JsonValue): boolean =>
  isObject(item) &&
  (nameKeys.some((key) => typeof item[key] === 'string') || wrapperKeys.some((key) => typeof item[key] === 'object'));

/** What calls are called where they say their type. */
const callType = /^(?:calls?|(?:function|(?:custom_)?tool)(?:[_-]?(?:calls?|use))?)$/i;

/** Whether its type is that of something else: a result, a decision, a record. */
export const isOther = ({ type }: JsonObject): boolean => typeof type === 'string' && !callType.test(type);

/** Whether it has a name and no arguments, and its type is that of something else, or its id is a number as in a record. */
const isRecord = (value: JsonObject): boolean =>
  nameKeys.some((key) => typeof value[key] === 'string') &&
  !argumentKeys.some((key) => value[key] !== undefined) &&
  ((value.type !== undefined && typeof value.type !== 'string') ||
    idKeys.some((key) => typeof value[key] === 'number'));

/** Whether a call object, or one in its wrappers, has the type of something else. */
export const hasOther = (value: JsonValue | undefined, depth = 0): boolean =>
  Array.isArray(value)
    ? depth < 5 && value.some((item) => hasOther(item, depth + 1))
    : isObject(value) && (isOther(value) || (depth < 5 && wrapperKeys.some((key) => hasOther(value[key], depth + 1))));

/** Whether JSON that names a tool is data: it has a key that no dialect writes next to a call's own. */
export function isData(value: JsonValue | undefined, depth = 0): boolean {
  if (depth > 4) return true;
  if (Array.isArray(value)) return value.some((item) => !isNamed(item) || isData(item, depth + 1));
  if (!isObject(value)) return false;
  return (
    Object.keys(value).some((key) => !known.has(key)) ||
    isOther(value) ||
    isRecord(value) ||
    wrapperKeys.some((key) => isData(value[key], depth + 1))
  );
}

/** A call in JSON. Arguments written as text stay text, to keep their notation. */
interface ParsedCall {
  readonly name: string;
  readonly id?: string;
  readonly arguments: unknown;
  /** Other keys next to them. */
  readonly beside: readonly string[];
  /** Keys with another name, or with other arguments. */
  readonly others?: readonly string[];
  /** Whether the arguments are next to the name. */
  readonly flat?: true;
  /** Whether there is only a name. */
  readonly named?: true;
  /** Whether text may stand for the only argument. */
  readonly free?: boolean;
}

/**
 * The text of a call object. Arguments with a key of their own are left out: they are read with the call, as its schema
 * wants them.
 */
export function envelopeOf(text: string, members: readonly Member[]): string {
  const [name, another] = members.filter(({ key }) => isNameKey(key));
  if (!name || another || !/^\s*["']/.test(text.slice(name.start, name.end))) return text;
  let envelope = '';
  let at = 0;
  for (const { start, end } of members.filter(({ key }) => (argumentKeys as readonly string[]).includes(key))) {
    const [, quote, brace] = /^\s*(["']?)\s*(?:\\{1,7}"\s*){0,2}(\{?)/.exec(text.slice(start, end)) ?? [];
    if (!quote && !brace) continue;
    envelope += text.slice(at, start) + (quote ? `"${brace}"` : '{}');
    at = end;
  }
  return envelope + text.slice(at);
}

const plainHead = /^\{\s*"name"\s*:\s*"([\w.:/-]+)"\s*,\s*"(arguments|parameters)"\s*:(?=\s*\{)/;

/** A call object in plain JSON with a name and arguments and nothing else, as most are: quicker than the checks below. */
export function plainCall(text: string, members: readonly Member[]) {
  const [, { start, end } = { start: 0, end: 0 }] = members;
  const [head, name = '', key = ''] = (members.length === 2 && plainHead.exec(text)) || [];
  if (head?.length !== start || !/^\s*\}$/.test(text.slice(end))) return undefined;
  const call: ParsedCall = { name, arguments: text.slice(start, end).trim(), beside: [], others: [], free: false };
  return { call, value: { name, [key]: {} }, problems: [], repairs: [] };
}

/**
 * The calls in an object: itself, or inside wrappers. With `keyed`, its keys are the names.
 *
 * @param value what its envelope was read as
 */
export function callsIn(
  text: string,
  members: readonly Member[],
  keyed: boolean,
  value: JsonValue | undefined,
): ParsedCall[] {
  const written = (key: string): string | undefined => {
    for (const member of members) if (member.key === key) return text.slice(member.start, member.end).trim();
    return undefined;
  };
  if (keyed) {
    const calls = members.map(({ key, start, end }) => ({ name: key, arguments: text.slice(start, end).trim() }));
    const unique = new Map(calls.map((call) => [`${call.name}\n${call.arguments}`, call]));
    return [...unique.values()].map((call) => ({ ...call, beside: [] }));
  }
  const nameKey = nameKeys.find((key) => /^["']/.test(written(key) ?? ''));
  if (nameKey === undefined) return parseCalls(value);
  const name = unquoted(written(nameKey) as string).replace(/^["']/, '');
  const argumentKey = argumentKeys.find((key) => written(key) !== undefined);
  const idText = idKeys.map(written).find((id) => id !== undefined);
  const id = idText === undefined ? {} : { id: unquoted(idText) };
  const beside = keysBeside(members.map(({ key }) => key));
  const others = isObject(value) ? otherNames(value, name) : [];
  if (argumentKey !== undefined) {
    const free = argumentKey === 'action_input';
    return name ? [{ name, ...id, arguments: written(argumentKey) || undefined, beside, others, free }] : [];
  }
  const rest = restOf(value, nameKey);
  return name ? [{ name, ...id, arguments: rest, ...flat(rest), others }] : [];
}

/** Keys that name another tool, or contain a call with another name or other arguments. */
const otherNames = (value: JsonObject, name: string): string[] =>
  nameKeys.filter((key) => {
    const given = value[key];
    if (given === undefined || isEmpty(given)) return false;
    if (!isObject(given)) return given !== name;
    const [inner, outer] = [argumentsIn(given), argumentsIn(value)];
    const differs = inner !== undefined && outer !== undefined && !equal(inner, outer);
    return (
      differs ||
      Object.keys(given).some((one) => !beside.has(one)) ||
      nameKeys.some((one) => isText(given[one]) && given[one] !== name)
    );
  });

const argumentsIn = (value: JsonObject): JsonValue | undefined =>
  argumentKeys.map((key) => value[key]).find((given) => given !== undefined);

const isNameKey = (key: string): boolean => (nameKeys as readonly string[]).includes(key);
const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';

const flat = (rest: JsonObject) => ({
  beside: [],
  ...(Object.keys(rest).length > 0 ? { flat: true as const } : { named: true as const }),
});

/** Arguments next to the name. */
function restOf(value: JsonValue | undefined, nameKey: string): JsonObject {
  if (!isObject(value)) return {};
  const told = new Set<string>([nameKey, 'type', ...idKeys]);
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !told.has(key)));
  keepMarks(value, rest);
  return rest;
}

/** The calls inside wrappers, up to a depth limit. */
export function parseCalls(value: JsonValue | undefined, depth = 0): ParsedCall[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) {
    const calls = value.map((item) => parseCalls(item, depth + 1));
    return calls.every((held) => held.length > 0) ? calls.flat() : [];
  }
  if (!isObject(value)) return [];
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string' && value[key] !== '');
  if (nameKey !== undefined) {
    const [argumentKey, ...more] = argumentKeys.filter((key) => value[key] !== undefined);
    const idKey = idKeys.find((key) => typeof value[key] === 'string');
    return [
      {
        name: value[nameKey] as string,
        others: [
          ...otherNames(value, value[nameKey] as string),
          ...more.filter((key) => !isEmpty(value[key]) && !equal(value[key], value[argumentKey as string])),
        ],
        ...(idKey && { id: value[idKey] as string }),
        ...(argumentKey === undefined
          ? { arguments: restOf(value, nameKey), ...flat(restOf(value, nameKey)) }
          : { arguments: value[argumentKey], beside: keysBeside(Object.keys(value)) }),
      },
    ];
  }
  return wrapperKeys.flatMap((key) => {
    const outside = Object.keys(value).filter((one) => one !== key && !identityKeys.has(one) && !isEmpty(value[one]));
    return parseCalls(value[key], depth + 1).map((call) => {
      // A function with nothing but its name, and arguments next to it.
      const [own, ...more] = key === 'function' && call.named ? outside : [];
      const isGiven = own !== undefined && more.length === 0 && (argumentKeys as readonly string[]).includes(own);
      if (!isGiven) return { ...call, beside: [...call.beside, ...outside] };
      const { named: _, ...rest } = call;
      return { ...rest, arguments: value[own] };
    });
  });
}

const isEmpty = (value: JsonValue | undefined): boolean => value === null || value === '' || equal(value, {});
const empty = /^(?:\{\s*\}|null|""|)$/;

/**
 * Problems of a call object: two names or two sets of arguments, and parameters outside the arguments, which would be
 * lost. Without `beside`, only the keys that are given twice.
 */
export function callFaults(
  text: string,
  members: readonly Member[],
  beside?: readonly string[],
  others: readonly string[] = [],
): Problem[] {
  const written = ({ start, end }: Member): string => text.slice(start, end).trim();
  const differ = (some: readonly Member[]): boolean => new Set(some.map(written)).size > 1;
  const faults: Problem[] = [];
  const given = new Map<string, Member>();
  const twice = new Set<string>();
  for (const member of members) {
    const { key } = member;
    const known = given.get(key);
    if (known && !twice.has(key) && differ([known, member])) {
      twice.add(key);
      faults.push(fault('duplicate_key', key, 'is given twice with different values'));
    }
    given.set(key, known ?? member);
  }
  if (!beside) return faults;
  // The first of the keys that may contain arguments is read.
  const [first, ...more] = argumentKeys.flatMap((key) => given.get(key) ?? []);
  const other = first && more.find((one) => !empty.test(written(one)) && differ([first, one]));
  if (first && other) faults.push(fault('ambiguous', other.key, `contradicts '${first.key}'`));
  const known = new Set(faults.map(({ path: [key] }) => key));
  faults.push(
    ...others
      .filter((key) => !known.has(key))
      .map((key) => fault('ambiguous', key, 'contradicts another field of the call')),
  );
  return [...faults, ...beside.map((key) => fault('ambiguous', key, 'is outside the arguments'))];
}

const fault = (code: 'duplicate_key' | 'ambiguous', key: string, words: string): Problem => ({
  path: [key],
  code,
  message: `Field '${key}' ${words}`,
});
