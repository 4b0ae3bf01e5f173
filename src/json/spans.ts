import { matchAt } from './tolerant/chars.ts';
import type { Path } from './value.ts';

/** Called at the end of each value with its path (valid only during the call) and its span. */
type Visit = (path: readonly (string | number)[], start: number, end: number) => void;

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Visits the span of every value in a JSON text, in one pass. Returns the offset of the first error, or undefined for
 * valid JSON. Not recursive, because the text may be nested to any depth.
 */
export function scanSpans(text: string, visit: Visit = () => {}): number | undefined {
  const path: (string | number)[] = [];
  const starts: number[] = [];
  let at = skip(text, 0);
  for (;;) {
    // Start of a value.
    const start = at;
    const opener = text[at];
    if (opener === '{' || opener === '[') {
      at = skip(text, at + 1);
      if (text[at] !== (opener === '{' ? '}' : ']')) {
        starts.push(start);
        path.push(0);
        if (opener === '[') continue;
        at = key(text, at, path);
        if (at < 0) return ~at;
        continue;
      }
      at++;
    } else {
      at = scalar(text, at);
      if (at < 0) return ~at;
    }
    visit(path, start, at);
    // End of a value: close the containers that end here, then continue with the next value.
    for (;;) {
      at = skip(text, at);
      const step = path.at(-1);
      if (step === undefined) return at === text.length ? undefined : at;
      const isList = typeof step === 'number';
      if (text[at] === ',') {
        at = skip(text, at + 1);
        if (isList) path[path.length - 1] = step + 1;
        else {
          at = key(text, at, path);
          if (at < 0) return ~at;
        }
        break;
      }
      if (text[at] !== (isList ? ']' : '}')) return at;
      at++;
      path.pop();
      visit(path, starts.pop() as number, at);
    }
  }
}

/** A value in a JSON text, and its replacement. */
export interface Splice {
  readonly path: Path;
  readonly json: string;
}

/**
 * Replaces values in a JSON text. The rest stays unchanged, so that prompt caches hit.
 *
 * @param text valid JSON that contains every path; the last of duplicate keys counts, as in `JSON.parse`
 */
export function spliceJson(text: string, splices: readonly Splice[]): string {
  const wanted = new Map(splices.map((splice) => [JSON.stringify(splice.path), splice]));
  const lengths = new Set(splices.map(({ path }) => path.length));
  const spans = new Map<Splice, readonly [start: number, end: number]>();
  scanSpans(text, (path, start, end) => {
    const splice = lengths.has(path.length) ? wanted.get(JSON.stringify(path)) : undefined;
    if (splice) spans.set(splice, [start, end]);
  });
  let spliced = '';
  let from = 0;
  for (const [{ json }, [start, end]] of [...spans].sort(([, [one]], [, [other]]) => one - other)) {
    spliced += text.slice(from, start) + json;
    from = end;
  }
  return spliced + text.slice(from);
}

/**
 * The position of the value at a path in a JSON text, or of the nearest value around it. The last of duplicate keys
 * counts, as in `JSON.parse`.
 */
export function locate(text: string, path: Path): Position {
  let best = -1;
  let offset = 0;
  scanSpans(text, (steps, start) => {
    if (steps.length < best || steps.length > path.length) return;
    if (!steps.every((step, index) => step === path[index])) return;
    best = steps.length;
    offset = start;
  });
  return positionOf(text, offset);
}

/** A position in a text. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset. */
export function positionOf(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}

const skip = (text: string, at: number): number => match(blank, text, at);

const match = (pattern: RegExp, text: string, at: number): number =>
  matchAt(pattern, text, at) ? pattern.lastIndex : ~at;

/** Reads a key and its colon into the last path segment. Returns the start of its value, or ~offset of an error. */
function key(text: string, at: number, path: (string | number)[]): number {
  if (text[at] !== '"') return ~at;
  const end = string(text, at);
  if (end < 0) return end;
  path[path.length - 1] = JSON.parse(text.slice(at, end)) as string;
  const colon = skip(text, end);
  return text[colon] === ':' ? skip(text, colon + 1) : ~colon;
}

function scalar(text: string, at: number): number {
  const char = text[at];
  if (char === '"') return string(text, at);
  return match(char === 't' || char === 'f' || char === 'n' ? word : number, text, at);
}

function string(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return ~at;
    if (code !== 0x5c) continue;
    const end = match(escaped, text, at);
    if (end < 0) return end;
    at = end - 1;
  }
  return ~text.length;
}
