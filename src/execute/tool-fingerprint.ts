import { isObject } from '../json/value.ts';
import type { Tool } from '../tools/tool.ts';

/** Hash of what a person approves besides the arguments: a tool's name, description, schema and effect. */
export function toolFingerprint({ name, description, schema, effect }: Tool): string {
  const text = JSON.stringify([name, description, schema.json, effect], keysInOrder);
  // Adapters also run without Node, where the text itself is compared.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto ? crypto.createHash('sha256').update(text).digest('hex') : text;
}

/** Replacer for `JSON.stringify` that sorts keys, because servers may reorder an unchanged schema. */
export const keysInOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : value;
