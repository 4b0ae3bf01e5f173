import { equal } from '../../json/equal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OutputForm } from '../../turn/turn.ts';
import { always, own } from './carried.ts';
import { jsonTypes } from './json-types.ts';

const json = 'application/json';

/** The fields of `generationConfig` that say what form the answer has. */
export const outputFields: readonly string[] = ['responseMimeType', 'responseSchema', 'responseJsonSchema'];

/** The form of the answer; nothing where it is not to be JSON. */
export function readOutput(config: JsonObject): OutputForm | undefined {
  if (config.responseMimeType !== json) return undefined;
  const { responseJsonSchema, responseSchema } = config;
  const schema = responseJsonSchema ?? responseSchema;
  if (schema === undefined || schema === null) return { type: 'json' };
  // The service's own form of a schema is carried along, so that it stands in its own field again.
  const left = responseSchema === undefined ? {} : always({ responseSchema });
  return { type: 'schema', schema: jsonTypes(schema) as JsonSchema, ...left };
}

/** The fields that say it. */
export function writeOutput(form: OutputForm): JsonObject {
  if (form.type === 'json') return { responseMimeType: json };
  const schema = form.schema as JsonValue;
  const before = own(form)?.responseSchema;
  if (before === undefined) return { responseMimeType: json, responseJsonSchema: schema };
  return { responseMimeType: json, responseSchema: equal(jsonTypes(before), schema) ? before : schema };
}
