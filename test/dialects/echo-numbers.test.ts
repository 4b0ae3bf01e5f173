/** Calls that were shown as a form or as YAML: blanks written as plus signs, numbers with zeros at their end. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { Toolbox, tool } from '../../src/index.ts';

const toolbox = new Toolbox([
  tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, amount: { type: 'number' } } },
  }),
]);
const call = (to: string, amount: number): string =>
  `<tool_call>\n${JSON.stringify({ name: 'pay', arguments: { to, amount } })}\n</tool_call>`;
const note = (shown: string, to: string, amount: number) =>
  readCalls(call(to, amount), toolbox, { dialect: 'hermes', context: [{ role: 'tool', content: shown }] }).note;

describe('echoes of formats and numbers', () => {
  it.each([
    ['tool=pay&to=Ann+Lee&amount=1200.5'],
    ['https://x.example/pay?to=Ann+Lee&amount=1200.50'],
    ['pay:\n  to: Ann Lee\n  amount: 1200.50\n'],
    ['pay --to "Ann Lee" --amount 1200.500'],
    [
      '<invoke name="pay"><parameter name="to">Ann Lee</parameter><parameter name="amount">1200.50</parameter></invoke>',
    ],
  ])('%j', (shown) => expect(note(shown, 'Ann Lee', 1200.5)).toBe('echo'));
});

describe('guard: different calls are not echoes', () => {
  it.each([
    ['pay:\n  to: Ann Lee\n  amount: 1200.55\n'],
    ['pay:\n  to: Ann Lee\n  amount: 12005\n'],
    ['tool=pay&to=Ann+Leeds&amount=1200.5'],
    ['Please pay Ann Lee 1200.50 + tax.'],
  ])('%j', (shown) => expect(note(shown, 'Ann Lee', 1200.5)).toBeUndefined());
});
