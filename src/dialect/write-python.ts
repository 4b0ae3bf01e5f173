import { isObject, type JsonValue } from '../json/value.ts';
import type { WrittenCall } from './written-call.ts';

/** Writes calls as Python has them: a list, or one in each line. */
export function writePython(calls: readonly WrittenCall[], lines: boolean): string {
  const written = calls.map(
    ({ name, arguments: given }) =>
      `${name}(${Object.entries(given)
        .map(([key, value]) => `${key}=${literal(value)}`)
        .join(', ')})`,
  );
  return lines ? written.join('\n') : `[${written.join(', ')}]`;
}

function literal(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${literal(key)}: ${literal(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
