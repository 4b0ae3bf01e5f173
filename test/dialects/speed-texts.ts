/** Texts of any size for the speed of reading: what models write, and what is made to be slow. */

import { renderCalls } from '../../src/dialect/render.ts';
import type { Dialect } from '../../src/dialect/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** The tools that the texts call. */
export const toolbox = new Toolbox([
  tool({
    name: 'write',
    description: 'Writes a file',
    inputSchema: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
  }),
]);

const words =
  'The quick brown fox, if it may, jumps over the lazy dog; afterwards it rests for a while (or so they say). ';
const code =
  'for (let i = 0; i < list.length; i += 1) {\n  if (list[i] > most) { most = list[i]; }\n  out.push(`item "$i"`); // a & b\n}\n';
const html =
  '<div class="card" id="c1">\n  <h2>Fonts &amp; forms</h2>\n  <p>See <a href="/faq?id=4">the <b>list</b></a>.</p>\n  <ul><li>one</li><li>two</li></ul>\n</div>\n';
const markdown = `## A heading\n\n- **first** item with \`code\` and a [link](https://example.org/a_b)\n- [ ] second item, 2 < 3\n\n\`\`\`js\n${code}\`\`\`\n\n| a | b |\n| --- | --- |\n| 1 | {2} |\n\n`;

const many = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** A kind of text; undefined where a dialect has no such thing. */
export type Make = (row: Dialect | undefined, size: number) => string | undefined;

/** Every kind; without a row it is text in which the dialect must be found. */
export const texts: Readonly<Record<string, Make>> = {
  prose: (_, size) => many(words, size),
  html: (_, size) => many(html, size),
  markdown: (_, size) => many(markdown, size),
  'long string': (row, size) => called(row, [many(words, size)]),
  'long code': (row, size) => called(row, [many(code + html.replaceAll('"', "'"), size)]),
  'small calls': (row, size) =>
    called(
      row,
      Array.from({ length: Math.ceil(size / 70) }, (_, at) => `note ${at}`),
    ),
  reasoning: (row, size) => thought(row, many(words + code, size)),
  // It ends in words, since half an opener at the end makes the reader look back once more.
  hostile: (row, size) => many(`${halves(row)}${words}`, size - words.length) + words,
  'hostile value': (row, size) => called(row, [many(halves(row).replaceAll('"', ''), size)]),
  'blocks in blocks': (row, size) => {
    const open = plain((row ? row.think?.[0]?.[0] : '<think>') ?? '');
    return open && many(open, size);
  },
  openers: (row, size) => many(literals(row).join(''), size),
};

/** Texts without a call, for which there is a least speed. */
export const plainTexts: readonly string[] = ['prose', 'html', 'markdown'];

function called(row: Dialect | undefined, contents: readonly string[]): string | undefined {
  try {
    const calls = contents.map((content) => ({ name: 'write', arguments: { content } }));
    return renderCalls(calls, row ?? 'hermes', toolbox);
  } catch {
    return undefined;
  }
}

function thought(row: Dialect | undefined, text: string): string | undefined {
  if (row?.frame) return `${row.frame.open.at(-1)} ${row.frame.reasoning[0]}${row.frame.message}${text}`;
  const [open, close] = (row ? row.think?.[0] : ['<think>', '</think>']) ?? [];
  return open && `${plain(open)}${text}${plain(close ?? '')}\nDone.`;
}

const plain = (template: string): string => template.replace(/^\^/, '').replaceAll('~', '').replaceAll('{sfx}', '');

/** Every marker of a dialect, as far as it is literal. */
function literals(row: Dialect | undefined): string[] {
  if (!row)
    return ['<tool_call>', '<function=', '<think>', '[TOOL_CALLS]', '```json', '<|tool_call_start|>', '<invoke '];
  const { forms, sections = [], think = [], drop = [], frame } = row;
  const all = [
    ...forms.flatMap(({ open, close = [], param = '' }) => [open, ...close, ...param.split(/\{\w+\}/)]),
    ...[...sections, ...think].flat(),
    ...drop,
    ...(frame ? [...frame.open, ...frame.end, frame.message] : []),
  ];
  const found = all.map((one) => plain(one).replace(/\{.*$/s, '')).filter((one) => one.trim().length > 2);
  return found.length > 0 ? found : ['[{"name": "', '```json\n{'];
}

/** Markers that break off, and single characters that begin one. */
const halves = (row: Dialect | undefined): string =>
  literals(row)
    .map((one) => `${one.slice(0, Math.ceil(one.length / 2))} < [ \`x\` {"a ${one.slice(0, -1)}a | `)
    .join('');
