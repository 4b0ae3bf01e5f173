import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { OutputForm } from '../../turn/turn.ts';
import { layOver, passthroughFields, present } from '../carry.ts';
import { format } from './format.ts';

/** Reads `text.format`; nothing where the answer is to be plain text. */
export function readOutputForm(wire: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(wire)) return undefined;
  if (wire.type === 'json_object') return { type: 'json', ...passthroughFields(format, wire, ['type']) };
  const { type, schema, name, description, strict } = wire;
  if (type !== 'json_schema' || !isObject(schema)) return undefined;
  return {
    type: 'schema',
    schema,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
    ...passthroughFields(format, wire, [
      ...['type', 'schema'],
      ...(typeof name === 'string' ? ['name'] : []),
      ...(typeof description === 'string' ? ['description'] : []),
      ...(typeof strict === 'boolean' ? ['strict'] : []),
    ]),
  };
}

/** Writes `text.format`; a schema without a name is given one, for the wire wants it. */
export function writeOutputForm(output: OutputForm): JsonObject {
  if (output.type === 'json') return layOver(format, { type: 'json_object' }, output);
  const { name = 'output', schema, description, strict } = output;
  const written = present({ type: 'json_schema', name, schema: schema as JsonObject, description, strict });
  return layOver(format, written, output);
}
