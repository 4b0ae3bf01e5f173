import { readJson } from '../json/json.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { findTool } from '../tool/find-tool.ts';
import type { Dialect } from './dialect.ts';
import type { Machine } from './machine.ts';
import { giveTypes } from './typed.ts';

/** The JSON Schema of a tool's arguments, where the tool is known. */
export function schemaFor(m: Machine, name: string): JsonSchema | undefined {
  return m.toolbox && findTool(name, m.toolbox).tool?.schema.json;
}

/** A call's arguments as `mend()` should get them: text as it was written, unless the dialect's writing has no types. */
export function inputOf(m: Machine, name: string, written: unknown, row: Dialect): unknown {
  if (typeof written !== 'string') return written;
  if (row.quote !== undefined) {
    const { value, problems, marks } = readJson(written);
    return problems.length === 0 && isObject(value) ? giveTypes(value, schemaFor(m, name), marks) : written;
  }
  return wordIn(m, name, written) ?? written;
}

/** A bare word or sentence where arguments should be: what the tool's only parameter is given. */
export function wordIn(m: Machine, name: string, written: string): JsonObject | undefined {
  const text = written.trim();
  if (!/^"(?!\s*[[{])/.test(text) || text.length < 2) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? bindWord(m, name, value) : undefined;
  } catch {
    return undefined;
  }
}

/** Gives a word to the tool's only parameter, or to the only one it must have. */
export function bindWord(m: Machine, name: string, value: string): JsonObject | undefined {
  const schema = schemaFor(m, name);
  if (!isObject(schema)) return { input: value };
  const keys = Object.keys((schema.properties as object | undefined) ?? {});
  const required = (schema.required as string[] | undefined) ?? [];
  const [only] = keys.length === 1 ? keys : required.length === 1 ? required : [];
  return only === undefined ? undefined : { [only]: value };
}
