import { isObject } from '../json/value.ts';
import type { Tool } from '../tools/tool.ts';

/** What a person approves beside the arguments, as one text: a tool's name, description, schema and effect. */
export function toolFingerprint({ name, description, schema, effect }: Tool): string {
  const text = JSON.stringify([name, description, schema.json, effect], keysInOrder);
  // Adapters run where there is no Node, too; there the text itself is compared.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto ? crypto.createHash('sha256').update(text).digest('hex') : text;
}

/** Sorts keys as `JSON.stringify` meets them: servers may list those of an unchanged schema in another order. */
export const keysInOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : value;
