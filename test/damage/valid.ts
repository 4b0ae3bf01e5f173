/** The table's own judge of what is valid, apart from the one under test. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaObject } from '../../src/schema/types.ts';

const options = { strict: false, validateFormats: false, logger: false } as const;
const kept = new WeakMap<object, (value: unknown) => boolean>();

const isDraft7 = (schema: SchemaObject): boolean => JSON.stringify(schema).includes('draft-07');

/** Whether a value passes a schema; `root` lends its definitions to a part of it. */
export const valid = (value: unknown, schema: SchemaObject, root: SchemaObject = schema): boolean => {
  let check = kept.get(schema);
  if (check === undefined) {
    const ajv = isDraft7(root) ? new Ajv(options) : new Ajv2020(options);
    const { $schema: _, $id: __, ...words } = schema;
    const lent = {
      ...(root.$defs && { $defs: root.$defs }),
      ...(root.definitions && { definitions: root.definitions }),
    };
    const compiled = ajv.compile({ ...words, ...lent });
    check = (one) => compiled(one) === true;
    kept.set(schema, check);
  }
  return check(value);
};
