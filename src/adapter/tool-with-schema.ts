import { type Schema, schemaOf } from '../schema/schema.ts';
import { copySchema } from '../schema/strips.ts';
import type { Checked } from '../schema/types.ts';
import { zodWaits } from '../tools/check/definition.ts';
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
  const schema: Schema = { kind: 'standard', json: written.json, check };
  owners.set(schema, own);
  return schema;
}

/** The validators that decide for schemas of `checkedBy`. */
const owners = new WeakMap<Schema, Schema>();

/** Whether the framework's own validator refuses a value, so that the framework refuses it without our help. */
export function isRefusedByOwner(schema: Schema, value: unknown): boolean {
  const own = owners.get(schema) ?? schema;
  if (own.kind === 'json' || own.kind === 'none') return false;
  try {
    return !own.check(value).ok;
  } catch {
    // An asynchronous validator may accept it.
    return false;
  }
}
