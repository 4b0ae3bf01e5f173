/** Escapes beside quotes that aren't escaped, in a list in single quotes: pasted text, or the escapes of a program. */
import { expect, it } from 'vitest';
import { closed, mendWith, strings } from './mend-with.ts';

const raw = String.raw;
const inputSchema = closed({ names: strings }, ['names']);

it.each([raw`['{"t": "a\nb"}']`, raw`['x', 'say "a\tb"']`])('refuses a list alone: %s', (args) => {
  expect(mendWith(inputSchema, args)).toMatchObject({ status: 'invalid' });
});

it.each([
  [raw`{'names': ['{"t": "a\nb"}']}`, ['{"t": "a\nb"}']],
  [JSON.stringify({ names: raw`['{"t": "a\nb"}']` }), ['{"t": "a\nb"}']],
  [raw`['a\nb']`, ['a\nb']],
  [raw`['say "a"']`, ['say "a"']],
])('guard: reads escapes that a key or the absence of quotes explains: %s', (args, names) => {
  expect(mendWith(inputSchema, args)).toMatchObject({ status: 'mended', input: { names } });
});
