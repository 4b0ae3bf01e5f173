/** Coercing: a key of a map may belong to the object around it if the map isn't valid as it stands. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, open, string } from './mend-with.ts';

const map: JsonSchema = { type: 'object', additionalProperties: string };
const numbers: JsonSchema = { type: 'object', additionalProperties: { type: 'number' } };
const mixed: JsonSchema = { type: 'object', properties: { Accept: string }, additionalProperties: string };
const fields = {
  url: string,
  headers: map,
  prices: numbers,
  options: mixed,
  body: string,
  timeout: integer,
  follow_all: boolean,
  env: closed({ values: map, replicas: integer }),
  list: { type: 'array', items: map },
} as Record<string, JsonSchema>;

const refused: readonly object[] = [
  { url: 'u', headers: { Accept: '*/*', body: 'hello', timeout: 30 } },
  { url: 'u', headers: { Accept: '*/*', timeout: 30 } },
  { url: 'u', headers: { Accept: '*/*', followAll: true } },
  { url: 'u', headers: { Accept: '*/*', Follow_All: true } },
  { url: 'u', headers: { 'X-Id': 5, body: 'hello' } },
  { url: 'u', headers: '{"Accept": "*/*", "timeout": 30}' },
  { url: 'u', options: { Accept: '*/*', timeout: 30 } },
  { url: 'u', prices: { a: 1, timeout: '30' } },
  { url: 'u', env: { values: { MODE: 'prod', replicas: 3 } } },
  { url: 'u', list: [{ a: 'b', timeout: 30 }] },
];

const read: readonly [given: object, input: object][] = [
  [
    { url: 'u', headers: { 'X-Id': 5 } },
    { url: 'u', headers: { 'X-Id': '5' } },
  ],
  [
    { url: 'u', headers: { timeout: 30 }, timeout: 5 },
    { url: 'u', headers: { timeout: '30' }, timeout: 5 },
  ],
  [
    { url: 'u', env: { values: { retries: 3 } } },
    { url: 'u', env: { values: { retries: '3' } } },
  ],
  // The map is valid as it stands.
  [
    { url: 'u', headers: { Accept: '*/*', body: 'x' } },
    { url: 'u', headers: { Accept: '*/*', body: 'x' } },
  ],
  [
    { url: 'u', headers: { body: 'x' }, timeout: '5' },
    { url: 'u', headers: { body: 'x' }, timeout: 5 },
  ],
];

describe.each([
  ['closed', closed(fields)],
  ['open', open(fields)],
])('a map in an object that is %s', (_, schema) => {
  const forms = (value: object) => [value, JSON.stringify(value), { arguments: value }];
  it.each(refused.map((value) => [value]))('is refused: %j', (value) => {
    for (const args of forms(value)) expect(mendWith(schema, args).status).toBe('invalid');
  });
  it.each(read)('guard: is read: %j', (value, input) => {
    for (const args of forms(value)) expect(mendWith(schema, args)).toMatchObject({ input, problems: [] });
  });
});
