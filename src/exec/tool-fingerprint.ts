import { createHash } from 'node:crypto';
import { isObject } from '../json/value.ts';
import type { Tool } from '../tool/tool.ts';

/** A hash of what a person approves beside the arguments: a tool's name, description, schema and effect. */
export function toolFingerprint({ name, description, schema, effect }: Tool): string {
  const told = JSON.stringify([name, description, schema.json, effect], inOrder);
  return createHash('sha256').update(told).digest('hex');
}

/** Servers may list the keys of an unchanged schema in another order. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : value;
