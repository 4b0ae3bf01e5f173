import { composed, fold } from './canonical.ts';

/** A line prefix: a line number, a quote mark, a diff or comment sign, a file position. */
const prefix =
  /^[ \t]{0,40}(?:[Ll]?\d{1,7}(?:[:.)\]\t-]| {0,8}[→:|│])|[\w./\\@][\w./\\@-]{0,199}?[:-]\d{1,7}[:-]|[>+\-*|│┃;%•‣◦]|\/{2,3}|#)[ \t]?/gm;
/** Two lines with a prefix. */
const adjacent = new RegExp(`${prefix.source}[^\\n]*\\n${prefix.source}`, 'm');
/** Maximum number of prefixes per line, as in a quote of a quote. */
const mostPrefixes = 4;

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zwj: '',
  zwnj: '',
};
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** A text, and the text without one, two or more prefixes per line: any further one belongs to a value. */
function unprefixed(text: string): string[] {
  const forms = [text];
  for (let count = 0, form = text; count < mostPrefixes && (count === 0 || adjacent.test(form)); count += 1) {
    form = form.replace(prefix, '');
    if (form === forms.at(-1)) break;
    forms.push(form);
  }
  return forms;
}

/** Decodes entities, also those of entities. */
function withoutEntities(text: string): string {
  let plain = text;
  for (let count = 0; count < mostPrefixes && plain.includes('&'); count += 1) {
    const next = decoded(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|([a-z]{2,4}));/gi, (whole, hex, digits, name) => {
        if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
        const code = Number.parseInt(hex ?? digits, hex ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;

/** Unescapes once, by character code, because a text may consist of escapes. */
function withoutEscapes(text: string): string {
  let at = text.indexOf('\\');
  if (at < 0) return text;
  const codes = new Uint16Array(text.length - at);
  let size = 0;
  const head = text.slice(0, at);
  for (; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code === backslash && at + 1 < text.length) {
      at += 1;
      const char = text[at] as string;
      const hex = char === 'u' || char === 'U' ? text.slice(at + 1, at + 5) : '';
      if (/^[\da-f]{4}$/i.test(hex)) {
        code = Number.parseInt(hex, 16);
        at += 4;
      } else code = (letters[char] ?? char).charCodeAt(0);
    }
    codes[size] = code;
    size += 1;
  }
  const parts = [head];
  for (let from = 0; from < size; from += 8192)
    parts.push(String.fromCharCode(...codes.subarray(from, Math.min(size, from + 8192))));
  return parts.join('');
}
const backslash = 92;

/** Removes the marks of CDATA sections, whose content is text. */
const withoutSections = (text: string): string => text.replace(/<!\[CDATA\[|\]\]>/g, '');

/** Unescapes the doubled quotes of a table cell. */
const withoutDoubled = (text: string): string => (text.includes('""') ? text.replaceAll('""', '"') : text);

/** Decodes percent-encoding. */
const withoutPercents = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
        try {
          return decodeURIComponent(bytes);
        } catch {
          return bytes;
        }
      })
    : text;

/** Encodings of letters. */
export const encoded = /%[\da-f]{2}|&#|\\u[\da-f]{4}/i;

/** The quotes of typography, which a page shows instead of those of programs. */
const withPlainQuotes = (text: string): string => text.replace(/[“”„‟«»「」『』]/g, '"').replace(/[‘’‚‛‹›]/g, "'");

/** The codes that colour text in a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they start with an escape character
const colours = /\u001b\[[\d;]{0,20}m/g;
/** Invisible characters. */
const unseen = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** The backslashes of strings in strings, before a character that one of them escapes. */
const manyEscapes = /(?<!\\)\\{2,}(?=["'nrtu/])/g;
/** A break within a line, with what ends and starts each line: the sides of a box, a soft break, a quote or comment sign, a time. */
const lineBreak =
  /[ \t]{0,40}[│┃|=\\]?\r?\n[ \t]{0,40}(?:[│┃|>*#;%]|\/\/|--)?[ \t]{0,40}(?:\[?\d[\d:.,/T-]{0,30}\]?[ \t]{1,9})?/g;

const withoutGaps = (text: string): string => text.replace(/\s{40,}/g, (run) => (run.includes('\n') ? '\n' : ' '));

/** The variants of a text whose lines are joined, so that its words may be, too. */
export function joinedForms(given: string): Set<string> {
  const text = withoutGaps(composed(given));
  const forms = [text, withoutEscapes(text.replace(manyEscapes, '\\')), withoutEntities(text)];
  return new Set(forms.filter((form) => form.includes('\n')).map((form) => form.replace(lineBreak, '')));
}

/** The variants of a text to search: unchanged, without line prefixes, unescaped once, without markup, rows as pairs. */
export function plainForms(given: string, headings: Headings): Set<string> {
  const text = withoutGaps(composed(given).replace(unseen, '').replace(colours, ''));
  const lines = unprefixed(text);
  const unescaped = withoutEscapes(text);
  const forms = new Set(lines);
  const add = (from: readonly string[], read: (text: string) => string): void => {
    for (const one of from) forms.add(read(one));
  };
  add(lines, withoutEscapes);
  if (unescaped !== text) {
    for (const one of unprefixed(unescaped)) forms.add(one);
    add([unescaped], withoutEscapes);
  }
  if (manyEscapes.test(text)) forms.add(withoutEscapes(text.replace(manyEscapes, '\\')));
  add([...lines, unescaped], withoutEntities);
  if (text.includes('![CDATA[')) add([...forms], withoutSections);
  add(lines, withoutDoubled);
  add([...forms], withPlainQuotes);
  add(lines, withoutPercents);
  if (/%22|%7b|=[^\s=]{0,400}\+/i.test(text)) forms.add(withoutPercents(text.replaceAll('+', ' ')));
  for (const read of [withoutMarkup, withJoinedStrings]) add([...forms], read);
  add([...forms], (form) => rowsAsPairs(form, headings));
  return forms;
}

const inlineTag =
  /<\/?(?:a|abbr|acronym|b|bd[io]|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|p|q|s|samp|small|span|strike|strong|su[bp]|time|tt|u|var|wbr)(?:\s[^<>]{0,200}|\/)?>|<!--[^<>]{0,200}-->/gi;

/** Removes inline markup of HTML. */
const withoutMarkup = (text: string): string =>
  text.includes('<') ? text.replace(/<br ?\/?>/gi, ' ').replace(inlineTag, '') : text;

/** A text as a page shows it, in which markup and entities inside a name don't hide it. */
export const asShown = (text: string): string => withoutMarkup(withoutEntities(withoutMarkup(text)));

/** What programs write between two strings that they join. */
const joinedBy = /["'`][ \t]{0,9}\n?[ \t]{0,40}(?:\+|\.{1,3}|&|\|\||~|<>|\^)\s{0,40}["'`]/g;

/** Joins strings that programs join: with an operator between, next to each other, or over lines. */
const withJoinedStrings = (text: string): string =>
  text
    .replace(joinedBy, '')
    .replace(/(?<=[^\s"'`=:(,[{])(["'`])[ \t]{0,9}(?:\\|\\?\n)?\s{0,40}\1(?=[^\s"'`=:),\]}])/g, '');

const separators = ['|', '\t', ',', ';'] as const;
const rule = /^[\s|:+=-]+$/;
const closesCell = /<\/t[dh]>\s{0,40}(?=<t[dh]\b)/gi;
const cellTag = /<\/?t[dh]\b[^<>]{0,200}>/gi;
const rowTag = /\s{0,40}<\/?(?:tr|table|thead|tbody)\b[^<>]{0,200}>\s{0,40}/gi;

/** Names and keys, folded. */
export interface Headings {
  readonly names: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

/** The rows of tables that have a cell with one of the names: `key: cell` lines, by the header with one of the keys. */
function rowsAsPairs(text: string, { names, keys }: Headings): string {
  const lines = linesOf(text);
  const rows = separators.flatMap((separator) => {
    let header: readonly string[] | undefined;
    return lines.flatMap((line) => {
      if (line === '' || rule.test(line)) return [];
      const cells = line.includes(separator) ? cellsOf(line, separator) : [];
      if (cells.length < 2) header = undefined;
      const isRow = cells.some((cell) => names.has(fold(cell)));
      if (!isRow && cells.some((cell) => keys.has(fold(cell)))) header = cells;
      if (!isRow || !header) return [];
      const above = header.map((cell) => cell.slice(0, 60));
      return [cells.map((cell, at) => `${above[at] ?? ''}: ${cell.replace(/<br ?\/?>|\s+/gi, ' ')}`).join('\n')];
    });
  });
  return rows.join('\n.\n');
}

/** The lines of a text, with each row of an HTML table in one. */
function linesOf(text: string): readonly string[] {
  const plain = /<t[dh]\b/i.test(text)
    ? text.replace(closesCell, '').replace(cellTag, '\t').replace(rowTag, '\n')
    : text;
  return plain.split(/\r?\n/);
}

const quotes = new Set(['"', "'", '`']);
/** What a JSON string adds before the first cell and after the last. */
const stringBegins = /^[\s{[]{0,40}"[^"]{0,60}":\s{0,9}"/;
const stringEnds = /["'][\s\]},]{0,40}$/;

/** The cells of a row, without the quotes around them. A separator in quotes, or after a backslash, is part of a cell. */
function cellsOf(line: string, separator: string): readonly string[] {
  const row = line.trim().replace(stringBegins, '');
  const cells: string[] = [];
  let start = row.startsWith(separator) ? 1 : 0;
  // Whether the cell has more than white space, starts with a quote, and is in that quote here.
  let [solid, quoted, open] = [false, false, false];
  for (let at = start; at <= row.length; at++) {
    const char = row[at];
    if (char === '"' && (quoted || !solid)) {
      quoted = true;
      open = !open;
    }
    solid ||= char !== ' ';
    if (at < row.length && (char !== separator || open || row[at - 1] === '\\')) continue;
    if (at < row.length || start < row.length) cells.push(plainCell(row.slice(start, at)));
    start = at + 1;
    [solid, quoted, open] = [false, false, false];
  }
  return cells;
}

function plainCell(written: string): string {
  const cell = written
    .trim()
    .replaceAll('\\|', '|')
    .replace(/^\*\*(.*)\*\*$/, '$1');
  const open = cell[0] ?? '';
  if (open === '[' || open === '{') return cell;
  if (!quotes.has(open)) return cell.slice(-41).search(stringEnds) < 0 ? cell : cell.replace(stringEnds, '');
  const inner = cell.length > 1 && cell.endsWith(open) ? cell.slice(1, -1) : cell;
  return open === '"' ? inner.replaceAll('""', '"') : inner;
}
