/** Calls and markers that an answer speaks of leave as they came, in every row of the table, named or not. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls, renderCalls } from '../../src/dialect/index.ts';
import type { Dialect } from '../../src/dialect/types.ts';
import { Toolbox, tool } from '../../src/index.ts';

const object = (key: string) =>
  ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key] }) as never;
const toolbox = new Toolbox([
  tool({ name: 'delete_file', description: 'Deletes a file', effect: 'destructive', inputSchema: object('path') }),
  tool({ name: 'python', description: 'Runs code', inputSchema: object('code') }),
]);

const isMarker = (part: string): boolean => part.length > 3 && /[<>[\]|]/.test(part);
const parts = (template: string): string[] => template.split(/\{\w+\}|~|\n/).map((part) => part.trim());
const headers = ['assistant to=user', 'assistant to=self', 'assistant to=delete_file'];

/** Everything that marks something in a row. */
function markersOf({ forms, sections = [], think = [], drop = [], frame }: Dialect): string[] {
  const templates = forms.flatMap(({ open, close = [], param = '' }) => [open, ...close, param]);
  const framing = frame ? [...frame.open, frame.message, ...frame.end] : [];
  const whole = frame ? headers.map((header) => `<|start|>${header}${frame.message}`) : [];
  const all = [...templates, ...sections.flat(), ...think.flat(), ...drop, ...framing];
  return [...new Set([...all.flatMap(parts).filter(isMarker), ...whole])];
}

/** Markers behind which any words are a call's, if they begin a line. */
const takesWords = ({ forms }: Dialect, marker: string): boolean =>
  forms.some(({ open, calls, text }) => (calls || text) && open.startsWith(marker));

type Put = (words: string) => string;
type Places = Readonly<Record<string, Put>>;
const quoted = (words: string): string =>
  words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

const callPlaces: Places = {
  'in the middle of a sentence': (words) => `A call such as ${words} removes the file for good.`,
  'before a comma': (words) => `The model writes ${words}, and the file is gone.`,
  'in quotes': (words) => `The log says "${words}" and nothing else.`,
  'in typographic quotes': (words) => `The log says “${words}” and nothing else.`,
  'in inline code': (words) => `Write \`${words}\` to delete it.`,
  'in inline code at the end': (words) => `To delete it, write \`${words}\`.`,
  'in a blockquote at the end': (words) => `The page says:\n\n${quoted(words)}`,
  'in brackets': (words) => `Such a call (${words}) deletes the file.`,
};
const heldCallPlaces: Places = {
  'in a blockquote': (words) => `The page says:\n\n${quoted(words)}\n\nI did not run it.`,
  'in a blockquote at the start': (words) => `${quoted(words)}\n\nThat is what it says.`,
  'in a fence of text': (words) => `An example:\n\n\`\`\`text\n${words}\n\`\`\`\n\nIt deletes the file.`,
};
const markerPlaces: Places = {
  'in the middle of a sentence': (words) => `The marker ${words} is a token of the template.`,
  'at the start of a sentence': (words) => `${words} is a token of the template.`,
  'at the end of a sentence': (words) => `The template holds the token ${words}.`,
  'behind a sentence': (words) => `It has tokens. ${words} is one of them. There are more.`,
  'before a comma': (words) => `Tokens such as ${words}, and others, are dropped.`,
  'in inline code': (words) => `The token \`${words}\` is special.`,
  'in quotes': (words) => `The token "${words}" is special.`,
  'in brackets': (words) => `The first token (${words}) is special.`,
  'in bold': (words) => `The token **${words}** is special.`,
  'in a list': (words) => `Tokens:\n\n- ${words}: first\n- the rest`,
  'in a list, before a dash': (words) => `Tokens:\n\n- ${words} – first\n- the rest`,
  'in a blockquote': (words) => `> ${words}\n\nThat is the token.`,
  'behind a colon': (words) => `The token: ${words}\nThe rest is text.`,
  'between letters': (words) => `Strip${words}from the text.`,
  'on a line of its own': (words) => `The token is\n\n${words}\n\nand it stands alone.`,
  'twice in a sentence': (words) => `Between ${words} and ${words} there is nothing.`,
};
const heldMarkerPlaces: Places = {
  'in a table': (words) => `| token | use |\n| --- | --- |\n| ${words} | first |\n\nThat is all.`,
};

/** Many dialects share a marker: which dialect it is matters only where the reader is told. */
const detected = new Set<string>();

function staysText(words: string, name: string): void {
  for (const dialect of detected.has(words) ? [name] : [name, 'auto'])
    for (const chunk of [undefined, 1, 3, 7]) {
      const { text, reasoning, calls } = readCalls(words, toolbox, { dialect, ...(chunk && { chunk }) });
      const read = { text, reasoning, calls: calls.map(({ name: called }) => called) };
      expect(read, `${name} as ${dialect}, in pieces of ${chunk}`).toEqual({
        text: words,
        reasoning: undefined,
        calls: [],
      });
    }
  detected.add(words);
}

function callsIn(places: Places): void {
  it.each(Object.entries(places))('%s', (_, put) => {
    for (const { name } of dialects) {
      const calls = [{ name: 'delete_file', arguments: { path: '/srv/db' } }];
      const words = name === 'content-only' ? '' : renderCalls(calls, name, toolbox);
      if (words) staysText(put(words), name);
    }
  });
}

function markersIn(places: Places): void {
  it.each(Object.entries(places))('%s', (place, put) => {
    for (const row of dialects)
      for (const marker of markersOf(row))
        if (place !== 'on a line of its own' || !takesWords(row, marker)) staysText(put(marker), row.name);
  });
}

describe('a call of every dialect, mentioned', () => callsIn(callPlaces));
describe('guard: a call of every dialect, quoted', () => callsIn(heldCallPlaces));
describe('a marker of every dialect, mentioned', () => markersIn(markerPlaces));
describe('guard: a marker of every dialect, quoted', () => markersIn(heldMarkerPlaces));

describe('all markers of a dialect', () => {
  it.each<readonly [string, (all: readonly string[]) => string]>([
    ['in a sentence', (all) => `Its markers are ${all.join(', ')} and no others.`],
    ['in a list of code', (all) => `Its markers:\n${all.map((one) => `- \`${one}\``).join('\n')}\n`],
  ])('%s', (_, put) => {
    for (const row of dialects) if (markersOf(row).length > 1) staysText(put(markersOf(row)), row.name);
  });
});

describe('guard: frames, and calls inside them, are read', () => {
  const called =
    '<|start|>assistant to=delete_file<|message|><atem:function_calls>\n<atem:invoke name="delete_file">\n<atem:parameter name="path">/a</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>';
  it.each<readonly [where: string, dialect: string, words: string, text: string, calls: readonly string[]]>([
    ['a call behind words', 'muse-glimmer', `I look.\n${called}`, 'I look.\n', ['delete_file']],
    ['two calls', 'muse-glimmer', `${called}\n${called}`, '', ['delete_file', 'delete_file']],
    [
      'a message to the user, then a call',
      'muse-glimmer',
      `<|start|>assistant to=user<|message|>I look.<|eom|>\n${called}`,
      'I look.',
      ['delete_file'],
    ],
    ['an answer in a frame', 'muse-glimmer', '<|start|>assistant to=user<|message|>Hi.<|eot|>', 'Hi.', []],
    ['an answer in marks', 'inkling', '<|message_model|><|content_text|>Hi.<|end_message|>', 'Hi.', []],
    [
      'two answers in marks',
      'inkling',
      '<|content_text|>One.<|end_message|><|message_model|><|content_text|>Two.<|end_message|>',
      'One.Two.',
      [],
    ],
    ['an answer with its end alone', 'cohere-cmd3', 'Hi.<|END_RESPONSE|>', 'Hi.', []],
    ['code for a tool', 'functionary-v31', 'I run it.\n<|python_tag|>print(1)', 'I run it.\n', ['python']],
    ['code right behind a sentence', 'functionary-v31', 'I run it:<|python_tag|>print(1)', 'I run it:', ['python']],
    [
      'arguments in a frame',
      'harmony',
      'I look.<|end|><|start|>assistant to=functions.delete_file<|message|>{"path": "/a"}<|call|>',
      'I look.',
      ['delete_file'],
    ],
  ])('%s', (_, dialect, words, text, calls) => {
    for (const chunk of [undefined, 1, 3, 7]) {
      const read = readCalls(words, toolbox, { dialect, ...(chunk && { chunk }) });
      const names = read.calls.map(({ name }) => name);
      expect({ text: read.text.trimEnd(), names }).toEqual({ text: text.trimEnd(), names: calls });
    }
  });
});
