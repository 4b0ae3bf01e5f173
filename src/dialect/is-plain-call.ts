import { isObject, type JsonValue } from '../json/value.ts';
import { callKeys, wrapperKeys } from './call-keys.ts';

/** The only keys of an object that is a call though nothing marks it: any other makes it data. */
const names = ['name', 'tool', 'tool_name', 'function'];
const inputs = ['arguments', 'parameters', 'input', 'args'];
const beside = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id']);

/** Whether JSON is plainly a call, or a list of such: a name, its arguments, and nothing that calls have not. */
export function isPlainCall(value: JsonValue | undefined, depth = 0): boolean {
  if (depth > 4) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isPlainCall(item, depth + 1));
  if (!isObject(value)) return false;
  const keys = Object.keys(value).filter((key) => !beside.has(key));
  if (keys.length === 1 && isObject(value.function)) return isPlainCall(value.function, depth + 1);
  const name = keys.find((key) => names.includes(key) && typeof value[key] === 'string');
  const given = keys.find((key) => inputs.includes(key));
  return keys.length === 2 && name !== undefined && given !== undefined && isArguments(value[given]);
}

const isArguments = (given: JsonValue | undefined): boolean =>
  isObject(given) || (typeof given === 'string' && given.trimStart().startsWith('{'));

const known = new Set<string>([...callKeys, ...beside]);

/** Whether JSON that names a tool is data all the same: it holds a key that no dialect writes beside a call's own. */
export function isData(value: JsonValue | undefined, depth = 0): boolean {
  if (depth > 4) return true;
  if (Array.isArray(value)) return value.some((item) => isData(item, depth + 1));
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => !known.has(key)) || wrapperKeys.some((key) => isData(value[key], depth + 1));
}
