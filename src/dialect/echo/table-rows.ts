import { canonical, foldKey } from './canonical.ts';
import { readLoosely } from './object-at.ts';

/** A call to search for in the rows of tables. */
export interface RowSought {
  readonly names: RegExp;
  readonly input: Readonly<Record<string, unknown>>;
  /** All keys of its tool. */
  readonly declared: readonly string[];
}

type Cells = readonly string[];
type Wanted = ReadonlyMap<string, unknown>;

const separators = ['|', '\t', ',', ';'] as const;
const rule = /^[\s|:+=-]+$/;
const closesCell = /<\/t[dh]>\s{0,40}(?=<t[dh]\b)/gi;
const cellTag = /<\/?t[dh]\b[^<>]{0,200}>/gi;
const rowTag = /\s{0,40}<\/?(?:tr|table|thead|tbody)\b[^<>]{0,200}>\s{0,40}/gi;
const pair = /^["'`*]{0,3}([\p{L}_][\p{L}\p{N}_.-]{0,60})["'`*]{0,3}\s{0,4}[:=]\s{0,4}/u;

/**
 * Whether a row of a table holds a call: a cell with its name, and cells with its arguments. Their keys are in the header
 * above, in the cells before them or in the same cells, or each row has one key and its value.
 */
export function holdsRow(text: string, { names, input, declared }: RowSought): boolean {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  if (!given.some(([, value]) => value !== '')) return false;
  const wanted = new Map(given.map(([key, value]) => [foldKey(key), value]));
  const others = new Set(declared.map(foldKey).filter((key) => !wanted.has(key)));
  const name = new RegExp(`^(?:${names.source})(?:\\(\\))?$`, 'iu');
  const isName = (cell: string): boolean => name.test(cell);
  const fits = (found: Wanted): boolean =>
    [...wanted].every(([key, value]) => equals(found.get(key), value)) &&
    [...found].every(([key, cell]) => !others.has(key) || cell === '' || cell === '-' || cell === 'null');
  const lines = linesOf(text);
  return separators.some((separator) => {
    let header: Cells | undefined;
    let column = new Map<string, string>();
    let named = false;
    return lines.some((line) => {
      if (line === '' || rule.test(line)) return false;
      const cells = line.includes(separator) ? cellsOf(line, separator) : [];
      const keys = cells.map(foldKey);
      if (cells.length > 1 && [...wanted.keys()].every((key) => keys.includes(key)) && !cells.some(isName)) {
        header = keys;
        return false;
      }
      if (cells.length === 2) {
        named ||= cells.some(isName);
        column.set(keys[0] as string, cells[1] as string);
      } else {
        named = false;
        column = new Map();
      }
      if (cells.length < 2) header = undefined;
      if (named && fits(column)) return true;
      return cells.some(isName) && [under(header, cells), alternating(cells, isName), labelled(cells)].some(fits);
    });
  });
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
function cellsOf(line: string, separator: string): Cells {
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
  if (!quotes.has(open)) return cell.slice(-41).search(stringEnds) < 0 ? cell : cell.replace(stringEnds, '');
  const inner = cell.length > 1 && cell.endsWith(open) ? cell.slice(1, -1) : cell;
  return open === '"' ? inner.replaceAll('""', '"') : inner;
}

const under = (header: Cells | undefined, cells: Cells): Wanted =>
  new Map((header ?? []).map((key, at) => [key, cells[at] ?? '']));

/** Keys and values by turns, after the name. */
function alternating(cells: Cells, isName: (cell: string) => boolean): Wanted {
  const rest = cells.slice(cells.findIndex(isName) + 1);
  return new Map(rest.flatMap((cell, at) => (at % 2 === 0 ? [[foldKey(cell), rest[at + 1] ?? '']] : [])));
}

const labelled = (cells: Cells): Wanted =>
  new Map(
    cells.flatMap((cell) => {
      const found = pair.exec(cell);
      return found ? [[foldKey(found[1] as string), plainCell(cell.slice(found[0].length))]] : [];
    }),
  );

const collapsed = (text: string): string => text.replace(/<br ?\/?>|\s+/gi, ' ').trim();

function equals(cell: unknown, value: unknown): boolean {
  if (typeof cell !== 'string') return false;
  if (typeof value === 'number') return cell !== '' && Number(cell.replaceAll('_', '')) === value;
  if (typeof value === 'boolean') return cell.toLowerCase() === String(value);
  if (typeof value === 'object') return /^[[{]/.test(cell) && canonical(readLoosely(cell)) === canonical(value);
  return collapsed(cell) === collapsed(String(value));
}
