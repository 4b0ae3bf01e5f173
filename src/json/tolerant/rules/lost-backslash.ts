import type { Problem } from '../../problem.ts';
import type { JsonValue, Path } from '../../value.ts';
import { ambiguousAt } from '../machine.ts';
import { doubtfulEscape, pastedFault } from './escape-rules.ts';

/**
 * A string, at any depth of a value that was written inside a string, whose control characters may be the backslashes of a
 * text that was escaped once too little (`src\\nav.ts`, `\\textbf{a}`, `split('\\n')`).
 */
export function pastedIn(value: JsonValue, path: Path = []): Problem | undefined {
  if (typeof value === 'string') {
    const fault = (doubtfulEscape(value) && pastedFault(value)) || faultOf(lostIn(value));
    return fault ? ambiguousAt(path, fault, value) : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = pastedIn(key, path) ?? pastedIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

const faultOf = (found: string | undefined): string | undefined =>
  found &&
  `has ${JSON.stringify(found).slice(1, -1)}, which may be a backslash and a letter; write every backslash of the text as \\\\`;

/** A path or name without blanks around line breaks, or behind a tab. */
const oneRun = /^(?:[\w.$~:@\\/-]+(?:[\t\n][\w.$@\\/-]+)*|\t[a-z]+)$/;

/** A tab before the name of a command (`\textbf{`), or inside a word. */
const tabInWord = /(?<=\w)\t(?=\w)|\t(?=[a-z]+\{)/;

/** Tabs that indent a block of code. */
const block = /([[{(:,;]\n)\t+/g;

/** The control character of a text that may be a lost backslash. */
function lostIn(text: string): string | undefined {
  if (!/[\t\n\r]/.test(text)) return undefined;
  const [lone] = /\r(?!\n)/.exec(text) ?? [];
  // A backslash inside a word is escaped in this text, so that line breaks are, too.
  const [run] = (oneRun.test(text) && !/\S\\[A-Za-z.]/.test(text) && /[\t\n]/.exec(text)) || [];
  const [tab] = (!isTable(text) && tabInWord.exec(text.replace(block, '$1'))) || [];
  return lone ?? run ?? tab ?? inQuotation(text);
}

/** Whether several lines have the same number of tabs. */
function isTable(text: string): boolean {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  return lines.length > 1 && new Set(lines.map((line) => line.split('\t').length)).size === 1;
}

/** Text in quotes, which open behind blanks, signs or the letters of a prefix, or in three of them. */
const quotation = /(?<![\w\\])[bfru]{0,2}(?:("""|''')[\s\S]*?\1|(["'])((?:(?!\2)[^\\]|\\[\s\S]){0,500})\2(?!\w))/gi;

/**
 * The control character in a quotation that code writes as an escape: next to one of its quotes, with a single line in it
 * (`'\\n'`, `"hi\\n"`), or a line break anywhere behind the bracket or operator before it (`print('a\\nb')`).
 */
function inQuotation(text: string): string | undefined {
  for (const { 3: inside = '', index } of text.matchAll(quotation)) {
    const [found] = /[\n\t]/.exec(inside) ?? [];
    const line = inside.replace(/^[\r\n\t]+|[\r\n\t]+$/g, '');
    const isCode = found === '\n' && /[([{+:]/.test(text[index - 1] ?? '');
    if (found && (isCode || (line !== inside && !line.includes('\n')))) return found;
  }
  return undefined;
}
