import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { Refs } from '../schema/refs.ts';
import type { Fault } from './configuration-validation-error.ts';
import { inPlace } from './in-place.ts';
import type { Place } from './schema-places.ts';

const most = 100;

/** References that lead out of the schema, to nothing, or round in a circle without ever looking into the value. */
export function refFaults(places: readonly Place[], root: JsonSchema): Fault[] {
  const refs = new Refs(root);
  const fields = new Map<SchemaObject, string>();
  for (const { schema, field } of places) if (isObject(schema)) fields.set(schema, field);
  const faults = [...fields].flatMap(([schema, field]) => targetFaults(schema, field, refs)).slice(0, most);
  const circle = faults.length === 0 ? findCircle(fields.keys(), refs) : undefined;
  if (!circle) return faults;
  const message = `the $ref ${JSON.stringify(circle.$ref)} leads back to itself without going into the value`;
  const fix = 'Let it describe something: a recursive type goes through properties or items';
  return [{ field: `${fields.get(circle) ?? 'parameters'}.$ref`, message, fix }];
}

function targetFaults(schema: SchemaObject, field: string, refs: Refs): Fault[] {
  const ref: unknown = schema.$ref;
  if (ref === undefined) return [];
  if (typeof ref === 'string' && refs.target(ref, schema) !== undefined) return [];
  const remote = typeof ref === 'string' && !ref.startsWith('#');
  const message = remote
    ? `the $ref ${JSON.stringify(ref)} leads out of the schema, and nothing is fetched`
    : `the $ref ${JSON.stringify(ref)} points at nothing`;
  const fix = remote
    ? "Copy it under $defs and point there: '#/$defs/Name'"
    : "Point at a part that is there, like '#/$defs/Name'";
  return [{ field: `${field}.$ref`, message, fix }];
}

/** A schema with a `$ref` on a circle of schemas that all judge the same value; by an explicit stack, for long chains. */
function findCircle(schemas: Iterable<SchemaObject>, refs: Refs): SchemaObject | undefined {
  const done = new Set<SchemaObject>();
  for (const start of schemas) {
    if (done.has(start)) continue;
    const path = new Map<SchemaObject, Iterator<SchemaObject>>([[start, inPlace(start, refs)]]);
    const trail = [start];
    for (let here = trail.at(-1); here; here = trail.at(-1)) {
      const next = path.get(here)?.next();
      if (!next || next.done) {
        done.add(here);
        path.delete(here);
        trail.pop();
      } else if (path.has(next.value)) {
        return trail.slice(trail.indexOf(next.value)).find((schema) => typeof schema.$ref === 'string') ?? here;
      } else if (!done.has(next.value)) {
        path.set(next.value, inPlace(next.value, refs));
        trail.push(next.value);
      }
    }
  }
  return undefined;
}
