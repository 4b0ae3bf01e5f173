import { readJson } from '../../json/read-json.ts';
import { hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Machine } from '../machine/state.ts';
import type { Dialect } from '../types.ts';
import type { CallNotes } from './call-notes.ts';
import { applyTypes, takesText } from './typing.ts';

/** The JSON Schema of a tool's arguments, if the tool is known. */
export function schemaFor(m: Machine, name: string): JsonSchema | undefined {
  return m.toolbox && findTool(name, m.toolbox).tool?.schema.json;
}

/** A key without quotes, outside of strings. Quoting it makes text without escapes valid JSON. */
const bareKey = /"(?:[^"\\]|\\[\s\S])*"?|([{,]\s*)([A-Za-z_]\w*)(\s*:)/g;

/** The arguments for `mend()`: text as written, unless the dialect's notation has no types. */
export function inputOf(m: Machine, name: string, written: unknown, row: Dialect, found?: CallNotes): unknown {
  if (typeof written !== 'string') return written;
  if (row.quote !== undefined) {
    const text = written.replace(bareKey, (all, before, key, after) => (key ? `${before}"${key}"${after}` : all));
    const { value, problems, marks, repairs } = readJson(text);
    found?.read.push(...repairs.filter(({ certainty }) => certainty !== 'lossless'));
    return problems.length === 0 && isObject(value) ? applyTypes(value, schemaFor(m, name), marks, found) : text;
  }
  return written;
}

/**
 * Assigns text to the tool's only text parameter, if the dialect has text arguments. Undefined for text that names the
 * parameter (`query=cats`), which is ambiguous.
 */
export function bindText(m: Machine, name: string, value: string): JsonObject | undefined {
  const schema = schemaFor(m, name);
  if (!isObject(schema)) return { input: value };
  const properties = propertiesOf(schema);
  const keys = Object.keys(properties);
  const required = (schema.required as string[] | undefined) ?? [];
  const [only] = keys.length === 1 ? keys : required.length === 1 ? required : [];
  if (only === undefined || !takesText(properties[only] as JsonSchema | undefined, schema)) return undefined;
  const named = /^\s*["']?([\w-]{1,64})["']?\s{0,8}[=:]/.exec(value)?.[1];
  return named !== undefined && hasOwn(properties, named) ? undefined : { [only]: value };
}

/** Quoted text, if a form accepts text as the only argument. */
export function freeText(m: Machine, name: string, written: unknown): JsonObject | undefined {
  if (typeof written !== 'string' || !/^"(?!\s*[[{])/.test(written)) return undefined;
  try {
    return bindText(m, name, JSON.parse(written) as string);
  } catch {
    return undefined;
  }
}
