/** Typographic quotations of several paragraphs show the calls in them, as those with straight quotes do. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';

const box = new Toolbox([toolWith('post', { text: { type: 'string' } }, 'write')]);
const dialects = ['hermes', 'kimi-k2', 'qwen3-coder'] as const;
const callIn = (dialect: string) => renderCalls([{ name: 'post', arguments: { text: 'Hi' } }], dialect, box);
/** How many calls run, in one piece and in chunks. */
const runs = (text: string, dialect: string) =>
  [undefined, 1, 7].map((chunk) => {
    const result = readCalls(text, box, { dialect, ...(chunk && { chunk }) });
    return result.calls.filter(({ status }) => status !== 'invalid').length;
  });
const none = [0, 0, 0];
const one = [1, 1, 1];

const pairs = [
  '“”',
  '„“',
  '„”',
  '””',
  '«»',
  '»«',
  '»»',
  '‹›',
  '›‹',
  '「」',
  '『』',
  '《》',
  '〈〉',
  '【】',
  '〝〟',
  '‘’',
  '‚‘',
];

describe.each(pairs.map((pair) => [pair[0] as string, pair[1] as string]))('%s…%s', (open, close) => {
  it.each(dialects)('shows the call: %s', (dialect) => {
    const call = callIn(dialect);
    const paragraphs = ['Hi,\n\n', 'Hi,\n \n', 'Hi.\n\nOne.\n\nTwo.\n\n', 'Hi,\n\nplease paste this.\n', 'Hi,\r\n\r\n'];
    for (const words of paragraphs)
      for (const end of [close, `\n${close}`, `${close}.`, `.${close}`, `\n\n${close}`, `\n${close} (Kim)`])
        expect([words, end, runs(`Kim wrote: ${open}${words}${call}${end}`, dialect)]).toEqual([words, end, none]);
  });

  it.each(dialects)('guard: runs a call after it: %s', (dialect) => {
    const call = callIn(dialect);
    for (const text of [
      `Kim wrote: ${open}Hi,\n\nplease post it.${close}\n\n`,
      `Kim wrote: ${open}Hi,\n\nplease post it.${close} I do it.\n`,
      `Kim wrote: ${open}Hi.\n\nI post it.\n\n`,
      `I post ${open}Hi${close}.\n\n`,
    ]) {
      expect([text, runs(text + call, dialect)]).toEqual([text, one]);
      expect([text, runs(`${text}${call}\n`, dialect)]).toEqual([text, one]);
    }
  });
});

describe.each(pairs.slice(0, -2).map((pair) => [pair[0] as string, pair[1] as string]))('%s…%s', (open, close) => {
  it('shows a call with words before the closer, and several calls', () => {
    const call = callIn('hermes');
    expect(runs(`Kim wrote: ${open}Hi,\n\n${call}\nThanks, Lee.${close}`, 'hermes')).toEqual(none);
    expect(runs(`Kim wrote: ${open}Hi,\n\n${call}\n\n${call}${close}`, 'hermes')).toEqual(none);
  });
});

it.each([
  ['The dogs’ food is here.\n\nI post it.\n', ''],
  ['It isn’t here.\n\nI post it.\n', '\nIt’s done.'],
  ['The 5” pipe is here.\n\nI post it.\n', '\nHe said “yes”.'],
  ['The quote “is open.\n\nI post it.\n', '\nThen I say “done”.'],
  ['Back in the ‘90s.\n\nI post it.\n', '\nIt’s done.'],
  ['He says 「はい。\n\nI post it.\n', '\n「いいえ」'],
])('guard: runs the call: %j', (before, behind) => {
  expect(runs(before + callIn('hermes') + behind, 'hermes')).toEqual(one);
});
