import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { OutputForm } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { isBoolean, isString, isText, lay, leave, putBack, take } from './take.ts';

/** Reads `response_format`; nothing where it asks for no JSON, or in a way that is not known. */
export function readOutputForm(wire: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(wire)) return undefined;
  const { type, ...rest } = wire;
  if (type === 'json_object') return { type: 'json', ...leave(rest) };
  const asked = rest.json_schema;
  if (type !== 'json_schema' || !isObject(asked) || !isObject(asked.schema)) return undefined;
  const { schema, ...left } = asked;
  const name = take(left, 'name', isText);
  const description = take(left, 'description', isString);
  const strict = take(left, 'strict', isBoolean);
  putBack(rest, 'json_schema', left);
  return {
    type: 'schema',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
    ...leave(rest),
  };
}

/** Writes `response_format`; the wire wants a name for a schema, so one is given where there is none. */
export function writeOutputForm(form: OutputForm): JsonObject {
  if (form.type === 'json') return lay({ type: 'json_object' }, form);
  const { schema, name = 'answer', description, strict } = form;
  // A schema is JSON, though its type names the words it knows.
  return lay(
    { type: 'json_schema', json_schema: present({ name, description, schema: schema as JsonValue, strict }) },
    form,
  );
}
