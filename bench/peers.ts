/** The code we compare with, as a careful user would write it. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaObject } from '../src/schema/types.ts';
import { installPeers } from './install-peers.ts';

const { load, versions: peerVersions } = installPeers(['jsonrepair']);

/** For packages that the project itself does not depend on. */
export { peerVersions };

const { jsonrepair } = await load<{ jsonrepair: (text: string) => string }>('jsonrepair');

export type Check = (value: unknown) => boolean;

/** A compiled ajv check. */
export const compiled = (schema: SchemaObject): Check => {
  const options = { strict: false, logger: false } as const;
  const ajv = String(schema.$schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
  const check = ajv.compile(schema);
  return (value) => check(value) === true;
};

/** `JSON.parse` and the check. Throws if either fails. */
export const parseAndCheck = (text: string, check: Check): unknown => {
  const value: unknown = JSON.parse(text);
  if (!check(value)) throw new Error('not valid');
  return value;
};

/** jsonrepair, then the same. */
export const repairAndCheck = (text: string, check: Check): unknown => parseAndCheck(jsonrepair(text), check);
