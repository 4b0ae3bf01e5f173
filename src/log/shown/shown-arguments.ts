import { visibleJson } from './visible.ts';

/** Shows a call's arguments for approval. */

const room = 2000;
const least = 80;
const mostItems = 100;
const headItems = 60;
const tailItems = 20;
const widestIndent = 40;
const mostBlanks = 40;
const blanks = /(\s{41,})/;
const mostParts = 39;
const headParts = 26;
const tailParts = 13;

/** Formats arguments as JSON, with a line for each key. Long values are shortened, and invisible characters escaped. */
export function shownArguments(input: unknown): string {
  const limit = Math.max(least, Math.floor(room / Math.max(1, leavesOf(input))));
  const lines: string[] = [];
  write(input, '', '', 0, { lines, limit });
  return lines.join('\n');
}

interface Out {
  readonly lines: string[];
  readonly limit: number;
}

function write(value: unknown, lead: string, end: string, depth: number, out: Out): void {
  const indent = ' '.repeat(Math.min(widestIndent, depth * 2));
  const line = (text: string): unknown => out.lines.push(`${indent}${text}`);
  if (typeof value !== 'object' || value === null) {
    line(`${lead}${typeof value === 'string' ? quoted(value, out.limit) : visibleJson(value)}${end}`);
    return;
  }
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length === 0) {
    line(`${lead}${open}${close}${end}`);
    return;
  }
  if (isList && value.every((item) => typeof item !== 'object' || item === null)) {
    line(`${lead}[${scalars(value, out.limit)}]${end}`);
    return;
  }
  line(`${lead}${open}`);
  const skips = isList && entries.length > mostItems;
  for (const [at, [key, inner]] of entries.entries()) {
    const comma = at < entries.length - 1 ? ',' : '';
    if (skips && at === headItems)
      line(`  …(${entries.length} items, ${entries.length - headItems - tailItems} not shown)…`);
    if (skips && at >= headItems && at < entries.length - tailItems) continue;
    write(inner, isList ? '' : `${quoted(key, least * 2)}: `, comma, depth + 1, out);
  }
  line(`${close}${end}`);
}

/** Lists of plain values are written on one line, so that what follows stays visible. */
function scalars(items: readonly unknown[], limit: number): string {
  const shown = (some: readonly unknown[]): string =>
    some.map((item) => (typeof item === 'string' ? quoted(item, limit) : visibleJson(item))).join(', ');
  if (items.length <= mostItems) return shown(items);
  const left = items.length - headItems - tailItems;
  return `${shown(items.slice(0, headItems))}, …(${items.length} items, ${left} not shown)…, ${shown(items.slice(-tailItems))}`;
}

/** Quoted text. A long one is shortened to its start and end, with its length in between. */
function quoted(text: string, limit: number): string {
  // Long runs of blanks, which would hide what follows, are replaced by their count.
  const parts = text.length > mostBlanks ? text.split(blanks) : [text];
  if (parts.length > 1) {
    const each = Math.max(least, Math.floor(limit / Math.min(parts.length, mostParts)));
    // Every second part is a run of blanks, the last one never is.
    const shown = (some: readonly string[]): string =>
      some.map((part, at) => (at % 2 ? `…(${part.length} blanks)…` : quoted(part, each))).join(' ');
    if (parts.length <= mostParts) return shown(parts);
    const left = parts.slice(headParts, -tailParts).join('').length;
    return `${shown(parts.slice(0, headParts))} …(${text.length} characters, ${left} not shown)… ${shown(parts.slice(-tailParts))}`;
  }
  if (text.length <= limit) return visibleJson(text);
  const tail = Math.floor(limit / 3);
  const head = wholeHead(text, limit - tail);
  return `${visibleJson(head)} …(${text.length} characters)… ${visibleJson(wholeTail(text, tail))}`;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The start of a text, without splitting a surrogate pair. */
const wholeHead = (text: string, length: number): string =>
  text.slice(0, isHigh(text.charCodeAt(length - 1)) ? length - 1 : length);

const wholeTail = (text: string, length: number): string => {
  const from = text.length - length;
  return text.slice(isHigh(text.charCodeAt(from - 1)) ? from + 1 : from);
};

/** Number of values that share the space. */
function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 0;
  for (const inner of Object.values(value)) count += leavesOf(inner);
  return count;
}

/** Label of a tool's effect. */
export const effectLabels = { read: 'READS', write: 'WRITES', destructive: 'DESTRUCTIVE' } as const;
