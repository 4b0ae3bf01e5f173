import { readJson } from '../json/json.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { argumentKeys, idKeys, keysBeside, nameKeys, wrapperKeys } from './call-keys.ts';
import { type Member, unquoted } from './json-body.ts';

/** A call as JSON holds it: its arguments as text where they stood as such, so that nothing of their writing is lost. */
export interface ParsedCall {
  readonly name: string;
  readonly id?: string;
  readonly arguments: unknown;
  /** Keys beside them that calls have not. */
  readonly beside: readonly string[];
  /** The arguments are what stands beside the name. */
  readonly flat?: true;
  /** There is a name and nothing else of a call. */
  readonly named?: true;
  /** They stand where text may stand for the only argument. */
  readonly free?: boolean;
}

/** The calls that an object holds: itself, or inside wrappers. `keyed`: its keys are the names. */
export function callsIn(text: string, members: readonly Member[], keyed: boolean): ParsedCall[] {
  const written = (key: string): string | undefined => {
    const member = members.find((one) => one.key === key);
    return member && text.slice(member.start, member.end).trim();
  };
  if (keyed)
    return members.map(({ key, start, end }) => ({
      name: key,
      arguments: text.slice(start, end).trim(),
      beside: [],
    }));
  const nameKey = nameKeys.find((key) => /^["']/.test(written(key) ?? ''));
  if (nameKey === undefined) return parseCalls(readJson(text).value);
  const name = unquoted(written(nameKey) as string).replace(/^["']/, '');
  const argumentKey = argumentKeys.find((key) => written(key) !== undefined);
  const idText = idKeys.map(written).find((id) => id !== undefined);
  const id = idText === undefined ? {} : { id: unquoted(idText) };
  const beside = keysBeside(members.map(({ key }) => key));
  if (argumentKey !== undefined)
    return name
      ? [{ name, ...id, arguments: written(argumentKey) || undefined, beside, free: argumentKey === 'action_input' }]
      : [];
  const rest = restOf(readJson(text).value, nameKey);
  return name ? [{ name, ...id, arguments: rest, ...flat(rest) }] : [];
}

const flat = (rest: JsonObject) => ({
  beside: [],
  ...(Object.keys(rest).length > 0 ? { flat: true as const } : { named: true as const }),
});

/** Flat arguments beside the name. */
function restOf(value: JsonValue | undefined, nameKey: string): JsonObject {
  if (!isObject(value)) return {};
  const told = new Set<string>([nameKey, 'type', ...idKeys]);
  return Object.fromEntries(Object.entries(value).filter(([key]) => !told.has(key)));
}

/** Calls inside wrappers; no deeper than honest ones go. */
export function parseCalls(value: JsonValue | undefined, depth = 0): ParsedCall[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((item) => parseCalls(item, depth + 1));
  if (!isObject(value)) return [];
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string' && value[key] !== '');
  if (nameKey !== undefined) {
    const argumentKey = argumentKeys.find((key) => value[key] !== undefined);
    const idKey = idKeys.find((key) => typeof value[key] === 'string');
    return [
      {
        name: value[nameKey] as string,
        ...(idKey && { id: value[idKey] as string }),
        ...(argumentKey === undefined
          ? { arguments: restOf(value, nameKey), ...flat(restOf(value, nameKey)) }
          : { arguments: value[argumentKey], beside: keysBeside(Object.keys(value)) }),
      },
    ];
  }
  return wrapperKeys.flatMap((key) =>
    parseCalls(value[key], depth + 1).map((call) => ({
      ...call,
      beside: [...call.beside, ...keysBeside(Object.keys(value), key)],
    })),
  );
}
