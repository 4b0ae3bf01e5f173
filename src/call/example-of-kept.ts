import { isObject } from '../json/value.ts';

const longString = 100;
const someItems = 2;
const someKeys = 20;
const maxDepth = 8;

/** What a model sent, short enough to stand in an example: long text becomes `<name as you sent it>`. */
export function condensed(value: unknown, name = 'value', depth = 0): unknown {
  if (typeof value === 'string') return value.length > longString ? `<${name} as you sent it>` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return `<${name} as you sent it>`;
  if (Array.isArray(value)) return value.slice(0, someItems).map((item) => condensed(item, name, depth + 1));
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).slice(0, someKeys);
  return Object.fromEntries(entries.map(([key, field]) => [key, condensed(field, key, depth + 1)]));
}
