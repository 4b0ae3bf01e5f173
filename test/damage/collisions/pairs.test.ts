/** Texts that two originals give: each must be refused, and the oracle must write it from both. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { randomFrom } from '../random.ts';
import { mistakes } from './mistakes.ts';
import { loadSource } from './source.ts';
import type { Template } from './template.ts';
import { templates } from './templates.ts';

const raw = String.raw;

/** The template, the text, and two originals with the mistake that makes the text of each. */
const pairs: readonly (readonly [string, string, JsonValue, string, JsonValue, string])[] = [
  [
    'web_search',
    raw`{"query": "say \\"hi\\" now"}`,
    { query: 'say "hi" now' },
    'quotes escaped twice',
    { query: raw`say \"hi\" now` },
    'quotes not escaped',
  ],
  [
    'web_search',
    raw`{"query": "caf\xe9"}`,
    { query: 'café' },
    'Latin letters as \\x',
    { query: raw`caf\xe9` },
    'a string pasted raw',
  ],
  [
    'tag_items',
    '{"tags": "red; green"}',
    { tags: ['red', 'green'] },
    'a list as separated text',
    { tags: ['red; green'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "red and green"}',
    { tags: ['red', 'green'] },
    'a list as separated text',
    { tags: ['red and green'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "red & green"}',
    { tags: ['red', 'green'] },
    'a list as separated text',
    { tags: ['red & green'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "red | green"}',
    { tags: ['red', 'green'] },
    'a list as separated text',
    { tags: ['red | green'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "红、绿"}',
    { tags: ['红', '绿'] },
    'a list as separated text',
    { tags: ['红、绿'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "N/A"}',
    { tags: [] },
    'a word for the empty list',
    { tags: ['N/A'] },
    'the item of a list of one',
  ],
  [
    'tag_items',
    '{"tags": "-"}',
    { tags: [] },
    'a word for the empty list',
    { tags: ['-'] },
    'the item of a list of one',
  ],
  ['numbers', '[1 234]', [1234], 'numbers grouped with blanks', [1, 234], 'a comma lost on one line'],
  ['numbers', '[1, , 3]', [1, 2, 3], 'an item lost between commas', [1, 4, 3], 'an item lost between commas'],
  [
    'web_search',
    '{"query": ""not today""}',
    { query: 'not today' },
    'quotes doubled around',
    { query: '"not today"' },
    'quotes not escaped',
  ],
  [
    'web_search',
    '{“query”: “she said “hi” now”}',
    { query: 'she said "hi" now' },
    'every quote curled',
    { query: 'she said “hi” now' },
    'curly quotes for delimiters',
  ],
  [
    'web_search',
    `{"query": \`${raw`a\\b`}\`}`,
    { query: raw`a\b` },
    'a template literal',
    { query: raw`a\\b` },
    'a raw string in backticks',
  ],
  [
    'configure',
    '{"service":"a","options":{"name":"x","region":"r"}',
    { service: 'a', options: { name: 'x', region: 'r' } },
    'the last closer lost',
    { service: 'a', options: { name: 'x' }, region: 'r' },
    'a closer lost inside',
  ],
  [
    'set_value',
    '{"key": "a", "value": +15550100}',
    { key: 'a', value: 15550100 },
    'a number in another notation',
    { key: 'a', value: '+15550100' },
    'digits without their quotes',
  ],
  [
    'configure',
    '{"service": "a", "options": {"name": "x"}, "region": "r"}}',
    { service: 'a', options: { name: 'x', region: 'r' } },
    'closed too early inside',
    { service: 'a', options: { name: 'x' }, region: 'r' },
    'a closer too many at the end',
  ],
  ...[
    [raw`'{"query":"C:\\\\new"}'`, raw`C:\\new`, raw`C:\new`],
    [raw`'{"query":"src\\test"}'`, raw`src\test`, 'src\test'],
    [`\`${raw`{"query":"src\\test"}`}\``, raw`src\test`, 'src\test'],
  ].map(([text = '', shell = '', literal = '']): (typeof pairs)[number] => [
    'web_search',
    text,
    { query: shell },
    'the arguments in quotes, as they stand',
    { query: literal },
    'the arguments as a literal of Python or JavaScript',
  ]),
];

/** Pairs that were refused before the oracle was there. */
const refusedBefore: typeof pairs = [
  [
    'update_price',
    '{"id": 1, "price": "1,234"}',
    { id: 1, price: 1234 },
    'a number as text, grouped',
    { id: 1, price: 1.234 },
    'a number as text with a decimal comma',
  ],
  [
    'tag_items',
    '{"tags": "red, green"}',
    { tags: ['red', 'green'] },
    'a list as separated text',
    { tags: ['red, green'] },
    'the item of a list of one',
  ],
  ['tag_items', '{"tags": ""}', { tags: [] }, 'a word for the empty list', { tags: [''] }, 'the item of a list of one'],
];

const templateOf = (name: string): Template => templates.find((one) => one.name === name) as Template;
const writes = (template: Template, value: JsonValue, name: string, text: string): boolean => {
  const mistake = mistakes.find((one) => one.name === name);
  return Array.from({ length: 400 }, (_, seed) => mistake?.write({ value, template }, randomFrom(seed))).includes(text);
};
const source = await loadSource(join(import.meta.dirname, '../../..'));

describe('a text that two originals give is refused', () => {
  it.each(pairs)('%s: %s', (name, text) => expect(source.read(templateOf(name), text)).toBeUndefined());
});

describe('guard: the oracle writes each from both originals', () => {
  it.each([...pairs, ...refusedBefore])('%s: %s', (name, text, one, oneMistake, other, otherMistake) => {
    expect(writes(templateOf(name), one, oneMistake, text), oneMistake).toBe(true);
    expect(writes(templateOf(name), other, otherMistake, text), otherMistake).toBe(true);
  });
});

describe('guard: texts refused before the oracle stay refused', () => {
  it.each(refusedBefore)('%s: %s', (name, text) => expect(source.read(templateOf(name), text)).toBeUndefined());
});
