/** Every marker of every dialect in an ordinary sentence: text to the character, but for end tokens at the very end. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const;
const toolbox = new Toolbox([tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema: input })]);
const read = (written: string, dialect?: string, chunk?: number) => {
  const { text, reasoning, calls } = readCalls(written, toolbox, {
    ...(dialect && { dialect }),
    ...(chunk && { chunk }),
  });
  return { text, reasoning, calls: calls.length };
};

const holes: Readonly<Record<string, string>> = {
  name: 'lookup_order',
  tool: 'lookup_order',
  key: 'query',
  id: 'abc123',
  word: 'assistant',
  cite: ' 0:[1]',
};
const fill = (template: string): string =>
  template
    .replace(/^\^/, '')
    .replaceAll('~', ' ')
    .replace(/\{(\w+)\}/g, (_, hole: string) => holes[hole] ?? '')
    .trim();
const markersOf = ({ forms, sections = [], think = [], drop = [], inner = [], frame, quote = '' }: Row): string[] =>
  [
    ...forms.flatMap(({ open, close = [], param = '' }) => [
      open,
      ...open.split(/\{\w+\}/),
      ...close,
      ...param.split('{value}'),
    ]),
    ...[sections, think, drop, inner].flat(2),
    ...(frame ? [...frame.open, ...frame.end, frame.message] : []),
    quote,
    '<bos>',
  ]
    .map(fill)
    .filter((marker) => /[^\w\s:`.,]/.test(marker));
type Row = (typeof dialects)[number];

const ends = [
  '<|im_end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_turn|>',
  '</s>',
  '<eos>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
  '<|END_OF_TURN_TOKEN|>',
  '<|return|>',
  '<|end|>',
  '[EOS]',
  '<|eot|>',
  '<|eom|>',
  '<|content_model_end_sampling|>',
  '<|end_message|>',
];
const markers = [...new Set(dialects.flatMap(markersOf))].filter((marker) => !ends.includes(marker));
const places: readonly (readonly [string, (marker: string) => string])[] = [
  ['at the end', (marker) => `The marker is ${marker}`],
  ['in the last line', (marker) => `The last line is this:\n${marker}`],
  ['behind a sentence', (marker) => `It ends here.${marker}`],
  ['in the middle', (marker) => `Write ${marker} here.`],
  ['in a line of its own', (marker) => `First.\n${marker}\nLast.`],
  ['at the start', (marker) => `${marker} is the marker.`],
];

/** The texts that do not leave as they came, whole or in pieces. */
const lost = (written: readonly string[]): string[] =>
  written.filter((text) =>
    [undefined, 1, 7].some((chunk) => {
      const found = read(text, undefined, chunk);
      return found.text !== text || found.calls > 0 || found.reasoning;
    }),
  );

describe('a marker of any dialect is text without a named dialect', () => {
  it.each(places)('%s', (where, put) => {
    // The source before knew the middle and the start of most sentences, and lost what stood at the end.
    expect(lost(markers.map(put)), where).toEqual([]);
  });
  it.each([
    'It is warm, <co>as the site says</co: 0:[1]>',
    'It is warm.</co: 0:[1]>',
    '<bos> Is a token of Gemma.',
    '<|START_RESPONSE|> は開始マーカーです。',
    '<|constrain|>json is the header.',
    '<|START_RESPONSE|>',
  ])('%j', (text) => {
    expect(lost([text])).toEqual([]);
  });
});

describe('guard: end tokens and frames are not text', () => {
  it.each(ends.slice(0, 7))('%s at the very end', (token) => {
    for (const chunk of [undefined, 1, 7])
      expect(read(`It is done.${token}\n`, undefined, chunk).text.trim()).toBe('It is done.');
    expect(read(`${token} is the token.`).text).toBe(`${token} is the token.`);
  });
  it.each([
    ['<|START_RESPONSE|>Hi.<|END_RESPONSE|>', 'Hi.', undefined],
    ['<|START_THINKING|>So.<|END_THINKING|><|START_RESPONSE|>Hi.<|END_RESPONSE|>', 'Hi.', 'So.'],
    ['<|content_text|>Hi.<|end_message|>', 'Hi.', undefined],
    ['<bos>Hi.<eos>', 'Hi.', undefined],
    ['</think> Hi.', 'Hi.', undefined],
    ['<|open|>response<|sep|>Hi.<|close|>response<|sep|><|close|>message<|sep|>', 'Hi.', undefined],
    ['<|channel|>final<|message|>Hi.<|return|>', 'Hi.', undefined],
  ])('%j', (written, text, reasoning) => {
    for (const chunk of [undefined, 1, 7])
      expect(read(written, undefined, chunk)).toEqual({ text, reasoning, calls: 0 });
  });
  it('removes citations of a named dialect', () => {
    expect(read('<|START_RESPONSE|>It is <co>warm</co: 0:[1]>.<|END_RESPONSE|>', 'cohere-cmd3').text).toBe(
      'It is warm.',
    );
  });
});
