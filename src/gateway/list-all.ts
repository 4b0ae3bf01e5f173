import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../json/value.ts';
import { anything, type Wire } from './wire.ts';

/** A server whose pages never end must not keep us. */
const mostPages = 1000;

/** Everything a server lists, from all pages, as it came. */
export async function listAll(
  client: Client,
  method: 'tools/list' | 'prompts/list',
  field: string,
  timeout: number,
): Promise<Wire[]> {
  const all: Wire[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method, params }, anything, { timeout });
    if (Array.isArray(page[field])) all.push(...page[field].filter(isObject));
    cursor = page.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return all;
}
