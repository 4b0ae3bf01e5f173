import { type Schema, schemaOf } from '../schema/schema.ts';
import { copySchema } from '../schema/strips.ts';
import type { Checked } from '../schema/types.ts';
import { zodWaits } from '../tools/check/zod-async.ts';
import { type Tool, tool } from '../tools/tool.ts';

/**
 * A framework's tool, to check calls with its own schema. For an asynchronous schema its JSON Schema is used, and the
 * framework checks the schema before the tool runs.
 */
export function toolWithSchema(name: string, description: string, schema: unknown): Tool {
  const whole = tool({ name, description, ...(schema !== undefined && { inputSchema: schema }) });
  const waits = whole.schema.kind === 'zod' && zodWaits(schema) === 'yes';
  // A copy, because Zod's JSON Schema object contains Zod's own validator.
  return waits ? tool({ name, description, inputSchema: copySchema(whole.schema.json) as unknown }) : whole;
}

/**
 * A JSON Schema whose values a validator checks: preprocessing can't be expressed in JSON Schema. An asynchronous
 * validator runs when the framework checks the value, so the JSON Schema is used until then.
 */
export function checkedBy(validator: object, written: Schema): Schema {
  const own = schemaOf(validator);
  const check = (value: unknown): Checked => {
    try {
      return own.check(value);
    } catch {
      return written.check(value);
    }
  };
  return { kind: 'standard', json: written.json, check };
}
