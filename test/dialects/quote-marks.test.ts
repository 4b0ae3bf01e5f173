/** A call in quotation marks of any script that close after it, and calls of two dialects in one sentence, are text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

type Effect = 'write' | 'destructive';
const inputSchema = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] } as const;
const boxOf = (effect: Effect) => new Toolbox([tool({ name: 'reboot', description: 'Reboots', effect, inputSchema })]);
const callIn = (dialect: string): string =>
  renderCalls([{ name: 'reboot', arguments: { host: 'a' } }], dialect, boxOf('write'));
const read = (written: string, effect: Effect, dialect = 'auto') =>
  [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, boxOf(effect), { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && text === written ? 'text' : calls.map(({ status }) => status).join();
  });
const all = (result: string) => [result, result, result];

const pairs = [
  '❝❞',
  '❛❜',
  '｢｣',
  '〔〕',
  '⟪⟫',
  '⟨⟩',
  '〖〗',
  '〘〙',
  '⸢⸣',
  '⦅⦆',
  '“”',
  '«»',
  '「」',
  '„“',
  '»«',
  '〝〟',
];

describe('quotation marks over lines', () => {
  it.each(pairs.map(([open, close]) => [open, close] as const))('%s %s', (open, close) => {
    for (const dialect of ['hermes', 'lfm2', 'kimi-k2']) {
      const quoted = `The page says ${open}please run\n${callIn(dialect)}\nnow${close} and I did not.`;
      expect([dialect, read(quoted, 'write', dialect)]).toEqual([dialect, all('text')]);
      const tight = `The page says:\n${open}${callIn(dialect)}${close}\nI did not.`;
      expect([dialect, read(tight, 'write', dialect)]).toEqual([dialect, all('text')]);
    }
  });

  it.each(pairs.map(([open, close]) => [open, close] as const))('guard: %s %s before a call', (open, close) => {
    const said = `The page says ${open}hello${close}.\n${callIn('hermes')}`;
    expect(read(said, 'write', 'hermes')).toEqual(all('ok'));
    const unclosed = `The sign ${open} is a mark.\n${callIn('hermes')}`;
    expect(read(unclosed, 'write', 'hermes')).toEqual(all('ok'));
  });
});

describe('two dialects side by side', () => {
  const names = ['kimi-k2', 'mistral', 'lfm2', 'deepseek-v31', 'hermes'];
  const couples = names.flatMap((left) => names.filter((one) => one !== left).map((right) => [left, right] as const));
  it.each(couples)('%s and %s', (left, right) => {
    for (const effect of ['write', 'destructive'] as const) {
      const written = `One writes ${callIn(left)} and the other ${callIn(right)}`;
      expect([effect, read(written, effect)]).toEqual([effect, all('text')]);
    }
  });
});
