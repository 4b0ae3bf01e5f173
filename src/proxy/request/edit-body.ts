import { type Splice, spliceJson } from '../../json/spans.ts';
import { isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../json/value.ts';
import type { Upstream } from '../options.ts';

/** The settings of an upstream that change bodies. */
type BodySettings = Pick<Upstream, 'defaults' | 'drop'>;

/** Adds the defaults of an upstream to a body, and removes the fields that the upstream doesn't accept. */
export function editBody(body: JsonObject, { defaults, drop = [] }: BodySettings): JsonObject {
  const full = defaults ? withDefaults(body, defaults) : body;
  return drop.reduce((left, path) => withoutField(left, path.split('.')), full);
}

/** The same for a body in the client's own API format. Other fields stay as they are written. */
export function editBytes(body: Buffer, settings: BodySettings): Buffer {
  const value = parseJson(body.toString('utf8'));
  if (!isObject(value)) return body;
  const edited = editBody(value, settings);
  for (const key of Object.keys(value)) if (edited[key] === undefined) delete value[key];
  for (const [key, field] of Object.entries(edited)) if (field !== value[key]) value[key] = field;
  return Buffer.from(stringifyJson(value));
}

/** Replaces values in a JSON body. All other bytes stay the same, including invalid UTF-8, so that prompt caches hit. */
export function spliceBody(body: Buffer, splices: readonly Splice[]): Buffer {
  const bytes = splices.map(({ path, json }) => ({ path, json: Buffer.from(json).toString('latin1') }));
  // One character per byte. JSON's syntax is ASCII.
  return splices.length > 0 ? Buffer.from(spliceJson(body.toString('latin1'), bytes), 'latin1') : body;
}

/** Adds fields that a body doesn't have, also inside its objects. */
function withDefaults(body: JsonObject, defaults: JsonObject): JsonObject {
  const added = Object.entries(defaults).flatMap(([key, value]): [string, JsonValue][] => {
    const own = body[key];
    if (own === undefined) return [[key, value]];
    return isObject(own) && isObject(value) ? [[key, withDefaults(own, value)]] : [];
  });
  return { ...body, ...Object.fromEntries(added) };
}

/** Removes a field, and the objects around it that are empty then. */
function withoutField(body: JsonObject, [name = '', ...below]: readonly string[]): JsonObject {
  const value = body[name];
  if (value === undefined) return body;
  const { [name]: _, ...rest } = body;
  if (below.length === 0) return rest;
  if (!isObject(value)) return body;
  const left = withoutField(value, below);
  return Object.keys(left).length > 0 ? { ...body, [name]: left } : rest;
}
