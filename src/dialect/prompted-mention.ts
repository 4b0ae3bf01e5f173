import { hasOwn, isObject } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { PythonCall } from './python.ts';

/** `f(city)` and `f(city=city)` say what the parameters are called, and give no values. */
export function namesParameters(call: PythonCall, schema: JsonSchema | undefined): boolean {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
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
