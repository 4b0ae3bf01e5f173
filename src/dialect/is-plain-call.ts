import { isObject, type JsonValue } from '../json/value.ts';
import { argumentKeys, idKeys, nameKeys, wrapperKeys } from './call-keys.ts';

const beside = new Set<string>(['type', ...idKeys]);
const isOneOf = (keys: readonly string[], key: string): boolean => keys.includes(key);

/** Whether JSON is plainly a call, or a list or wrapper of such: a name, its arguments, and nothing that calls have not. */
export function isPlainCall(value: JsonValue | undefined, depth = 0): boolean {
  if (depth > 4) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isPlainCall(item, depth + 1));
  if (!isObject(value)) return false;
  const keys = Object.keys(value).filter((key) => !beside.has(key));
  const [only] = keys;
  if (only !== undefined && keys.length === 1 && isOneOf(wrapperKeys, only)) return isPlainCall(value[only], depth + 1);
  const name = keys.find((key) => isOneOf(nameKeys, key) && typeof value[key] === 'string');
  const given = keys.find((key) => isOneOf(argumentKeys, key));
  return keys.length === 2 && name !== undefined && given !== undefined && isArguments(value[given]);
}

const isArguments = (given: JsonValue | undefined): boolean =>
  isObject(given) || (typeof given === 'string' && given.trimStart().startsWith('{'));
