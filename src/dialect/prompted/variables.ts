import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { readPythonBracket } from '../python/brackets.ts';
import type { PythonCall } from '../python/parse-call.ts';

/** A constant of a response, and the offset from which it applies; undefined if it was assigned something else. */
interface Setting {
  readonly from: number;
  readonly value: JsonValue | undefined;
}

/** The constants that a response assigns before its calls, by name. */
export type Variables = ReadonlyMap<string, readonly Setting[]>;

const assignment = /^[ \t>]*([A-Za-z_]\w{0,63})[ \t]*(?::[^=\n]{1,60})?=(?!=)[ \t]*/gm;
const literal = /^(?:["'\d-]|(?:True|False|None)\s*(?:#|$))/;

/** Finds `name = constant` lines. */
export function variablesIn(text: string): Variables {
  const found = new Map<string, Setting[]>();
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match; match = assignment.exec(text)) {
    const at = assignment.lastIndex;
    const { value, end } = valueAt(text, at);
    assignment.lastIndex = end;
    const name = match[1] as string;
    const settings = found.get(name);
    if (settings) settings.push({ from: end, value });
    else found.set(name, [{ from: end, value }]);
  }
  return found;
}

function valueAt(text: string, at: number): { value: JsonValue | undefined; end: number } {
  if (text[at] === '{' || text[at] === '[') {
    const { value, end, closed } = readPythonBracket(text, at);
    return { value: closed && typeof value === 'object' ? value : undefined, end };
  }
  const stop = text.indexOf('\n', at);
  const end = stop < 0 ? text.length : stop;
  const line = text.slice(at, end);
  if (!literal.test(line)) return { value: undefined, end };
  const { positional, closed } = readPythonBracket(`f(${line}\n)`, 1, 'f');
  return { value: closed && positional.length === 1 ? positional[0] : undefined, end };
}

/** Whether a call contains words that could be constants. */
export const usesVariables = ({ bare, positional }: PythonCall): boolean =>
  bare.length > 0 || positional.some((value) => typeof value === 'string' && value.startsWith('**'));

/** A call with the values of its constants at this offset, and with the content of `**name`. They stay expressions, which are refused. */
export function withVariables(call: PythonCall, variables: Variables, at: number): PythonCall {
  const setting = (name: string): JsonValue | undefined => settingAt(variables.get(name) ?? [], at)?.value;
  const held = new Map(call.bare.map((word) => [word, setting(word)]));
  const filled = (value: JsonValue): JsonValue => (typeof value === 'string' ? (held.get(value) ?? value) : value);
  const named: JsonObject = {};
  const positional: JsonValue[] = [];
  for (const value of call.positional) {
    const all = typeof value === 'string' && value.startsWith('**') ? setting(value.slice(2)) : undefined;
    if (isObject(all)) Object.assign(named, all);
    else positional.push(filled(value));
  }
  for (const [key, value] of Object.entries(call.named)) named[key] = filled(value);
  const bare = call.bare.filter((word) => held.get(word) === undefined);
  return { ...call, positional, named, bare };
}

/** The last assignment before an offset, by binary search, because a long text may assign and use a name many times. */
function settingAt(settings: readonly Setting[], at: number): Setting | undefined {
  let [low, high] = [0, settings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((settings[middle] as Setting).from <= at) low = middle + 1;
    else high = middle;
  }
  return settings[low - 1];
}
