import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaObject } from '../../../src/schema/types.ts';
import { valid } from '../../../test/damage/valid.ts';
import { careful } from '../careful.ts';
import type { Contestant } from '../contestant.ts';

export type JsonRepair = (text: string) => string;

/** jsonrepair and ajv; `coerce` lets ajv change types, wrap lists and drop keys that a schema forbids. */
export function repairAndAjv(jsonrepair: JsonRepair, coerce: boolean): Contestant {
  const made = new WeakMap<SchemaObject, ValidateFunction>();
  const coerced = (value: unknown, schema: SchemaObject): unknown => {
    const check = made.get(schema) ?? coercing(schema);
    made.set(schema, check);
    // ajv can't replace the root value, only its members.
    const holder = { value };
    check(holder);
    return holder.value;
  };
  return {
    name: coerce ? 'jsonrepair + ajv (coercing)' : 'jsonrepair + ajv',
    how: coerce
      ? "the same; invalid values get ajv's `coerceTypes: 'array'` and `removeAdditional`"
      : '`jsonrepair`, `JSON.parse` and validation by ajv',
    packages: ['jsonrepair', 'ajv'],
    answer: careful((text, { inputSchema }) => {
      const value: unknown = JSON.parse(jsonrepair(text));
      // Coercion also changes valid values, if a union lists another type first.
      return !coerce || valid(value, inputSchema) ? value : coerced(value, inputSchema);
    }),
  };
}

function coercing(schema: SchemaObject): ValidateFunction {
  const options = {
    strict: false,
    logger: false,
    allErrors: true,
    coerceTypes: 'array',
    removeAdditional: true,
  } as const;
  const ajv = String(schema.$schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
  const { $schema: _, $defs, ...words } = schema;
  return ajv.compile({ type: 'object', properties: { value: words }, ...($defs && { $defs }) });
}
