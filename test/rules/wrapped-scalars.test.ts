/** Reading: a wrapper, and encoding as text, change nothing about how a value in it is read. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, named, string } from './mend-with.ts';

const scalars = { type: ['string', 'number', 'boolean', 'null'] } as unknown as JsonSchema;
const fields = {
  title: string,
  assignee: { type: ['string', 'null'] } as unknown as JsonSchema,
  value: { type: ['string', 'number'] } as unknown as JsonSchema,
  flag: { anyOf: [string, { type: 'boolean' }] } as JsonSchema,
  params: { type: 'array', items: scalars } as JsonSchema,
};
const schema = closed({ ...fields, options: closed(fields) });

type Place = (text: string) => string;
const wrappers: Readonly<Record<string, Place>> = {
  'as it stands': (text) => text,
  'in a wrapper': (text) => `{"arguments": ${text}}`,
  'next to the name': (text) => `{"name": "${named}", "arguments": ${text}}`,
  'in two wrappers': (text) => `{"function": {"name": "${named}", "arguments": ${text}}}`,
  'in a list of one call': (text) => `[{"name": "${named}", "arguments": ${text}}]`,
  'in a list of one': (text) => `[${text}]`,
  'as text in a wrapper': (text) => `{"arguments": ${JSON.stringify(text)}}`,
  'encoded twice': (text) => JSON.stringify(text),
  'in a field': (text) => `{"options": ${text}}`,
  'as text in a field': (text) => `{"options": ${JSON.stringify(text)}}`,
  'as text in a field in a wrapper': (text) => `{"input": {"options": ${JSON.stringify(text)}}}`,
};

const doubtful = [
  '{"assignee": null // nobody yet\n}',
  '{"assignee": null /* unassigned */}',
  '{"value": 5 // five\n}',
  '{"value": 0x1F}',
  '{"value": +5}',
  '{"value": 1_000}',
  '{"value": 007}',
  '{"value": 3.1, "value": 3.10}',
  '{"value": 9007199254740993}',
  '{"flag": true // yes\n}',
  '{"params": [1, null true]}',
  '{"params": ["a", 1 null]}',
  '{"assignee": none}',
  '{"title": [TBD]}',
  '{"title": [your title]}',
  '{"title": ["a"}',
];

const certain: readonly [text: string, value: object][] = [
  ['{"assignee": null, // nobody yet\n "title": "a"}', { assignee: null, title: 'a' }],
  ['{"value": 5}', { value: 5 }],
  ['{"value": 3.10}', { value: 3.1 }],
  ['{"title": 0x1F}', { title: '0x1F' }],
  ['{"title": 3.10}', { title: '3.10' }],
  ['{"params": [1, null, true]}', { params: [1, null, true] }],
  ['{"title": ["a"]}', { title: 'a' }],
  ['{"title": "[TBD]"}', { title: '[TBD]' }],
];

describe.each(Object.entries(wrappers))('a value %s', (place, write) => {
  it.each(doubtful)('with doubts is refused: %j', (text) =>
    expect(mendWith(schema, write(text)).status).toBe('invalid'),
  );
  it.each(certain)('guard: without is read: %j', (text, value) =>
    expect(mendWith(schema, write(text))).toMatchObject({
      problems: [],
      input: place.includes('field') ? { options: value } : value,
    }),
  );
});
