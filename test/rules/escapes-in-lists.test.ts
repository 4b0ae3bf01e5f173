/** Escapes beside quotes that aren't escaped, in a list in single quotes: pasted text, or the escapes of a program. */
import { describe, expect, it } from 'vitest';
import { mendValue } from '../../src/mend/mend-value.ts';
import { closed, mendWith, strings } from './mend-with.ts';

const raw = String.raw;
const inputSchema = closed({ names: strings }, ['names']);

const alone = [raw`['{"t": "a\nb"}']`, raw`['x', 'say "a\tb"']`, raw`["it's", 'say "a\nb"']`, raw`['it\'s "a\nb"']`];

describe('refuses a list alone', () => {
  it.each(alone)('as arguments: %s', (list) => {
    expect(mendWith(inputSchema, list)).toMatchObject({ status: 'invalid' });
  });
  it.each(alone)('as text of a field: %s', (list) => {
    expect(mendWith(inputSchema, { names: list })).toMatchObject({ status: 'invalid' });
  });
  it.each(alone)('as structured output: %s', (list) => {
    expect(mendValue(list, strings)).toMatchObject({ status: 'invalid' });
  });
});

it.each([
  [raw`['it\'s', 'say "a\nb"']`, ["it's", 'say "a\nb"']],
  [raw`['a\nb', "it's"]`, ['a\nb', "it's"]],
])('guard: reads structured output that shows the quotes of a program: %s', (list, value) => {
  expect(mendValue(list, strings)).toMatchObject({ status: 'mended', value });
});

it('guard: reads a list of objects with keys of a program', () => {
  const list = raw`[{'t': 'say "a\nb"'}]`;
  expect(mendValue(list, { type: 'array' })).toMatchObject({ value: [{ t: 'say "a\nb"' }] });
});

it.each([
  [raw`{'names': ['{"t": "a\nb"}']}`, ['{"t": "a\nb"}']],
  [JSON.stringify({ names: raw`['it\'s', 'say "a\nb"']` }), ["it's", 'say "a\nb"']],
  [raw`['a\nb']`, ['a\nb']],
  [raw`['say "a"']`, ['say "a"']],
])('guard: reads escapes that a key or the absence of quotes explains: %s', (args, names) => {
  expect(mendWith(inputSchema, args)).toMatchObject({ status: 'mended', input: { names } });
});
