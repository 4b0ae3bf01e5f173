import type { Path } from '../../src/index.ts';

/** The location of a value in model output, and of its key. */
export interface Spot {
  readonly path: Path;
  readonly key?: readonly [start: number, end: number];
  readonly start: number;
  readonly end: number;
}

interface Frame {
  readonly list: boolean;
  readonly start: number;
  readonly path: Path;
  readonly key: Spot['key'] | undefined;
  index: number;
  /** A key whose value hasn't been found yet. */
  due: { readonly name: string; readonly at: readonly [number, number] } | undefined;
}

/** Maximum depth. Each location has its path, so the cost is quadratic. */
const deepest = 64;
const quotes = '"\'`“”';
const closers: Readonly<Record<string, string>> = { '“': '”', '”': '”' };

/** Finds the values in near-JSON, only to mark them. Reads each character once, and skips what it can't parse. */
export function scanLoosely(text: string): Spot[] {
  const spots: Spot[] = [];
  const stack: Frame[] = [];
  let at = text.search(/[{[]/);
  const place = (start: number, end: number) => {
    const frame = stack.at(-1);
    if (!frame) return;
    if (frame.list) spots.push({ path: [...frame.path, frame.index], start, end });
    else if (frame.due) spots.push({ path: [...frame.path, frame.due.name], key: frame.due.at, start, end });
    frame.due = undefined;
  };
  const token = (start: number, end: number, name: string) => {
    const frame = stack.at(-1);
    if (frame && !frame.list && !frame.due) frame.due = { name, at: [start, end] };
    else place(start, end);
  };
  while (at >= 0 && at < text.length && stack.length < deepest) {
    const char = text[at] as string;
    if ('{[('.includes(char)) {
      const outer = stack.at(-1);
      const step = outer && (outer.list ? outer.index : outer.due?.name);
      const path = outer ? [...outer.path, ...(step === undefined ? [] : [step])] : [];
      stack.push({ list: char !== '{', start: at, path, key: outer?.due?.at, index: 0, due: undefined });
      at++;
    } else if ('}])'.includes(char)) {
      const frame = stack.pop();
      at++;
      if (frame) spots.push({ path: frame.path, ...(frame.key && { key: frame.key }), start: frame.start, end: at });
      if (stack.length === 0) break;
      (stack.at(-1) as Frame).due = undefined;
    } else if (char === ',') {
      const frame = stack.at(-1);
      if (frame) Object.assign(frame, { index: frame.index + 1, due: undefined });
      at++;
    } else if (quotes.includes(char)) {
      const end = stringEnd(text, at);
      token(at, end, text.slice(at + 1, end - 1));
      at = end;
    } else if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const close = text.indexOf(text[at + 1] === '/' ? '\n' : '*/', at + 2);
      at = close < 0 ? text.length : close + 1;
    } else if (/[\s:=]/.test(char) || char === '/') at++;
    else {
      const end = bareEnd(text, at);
      token(at, end, text.slice(at, end));
      at = end;
    }
  }
  return spots;
}

/** What can follow a string: punctuation, the end, or a key after a missing comma. */
const follows = /^\s*(?:[,:}\])]|$)|^\s+["'][^"']{1,40}["']\s*:/;

/** The end of a string: the first quote followed by one of these. */
function stringEnd(text: string, start: number): number {
  const close = closers[text[start] as string] ?? (text[start] as string);
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === close && follows.test(text.slice(at + 1, at + 60))) return at + 1;
  }
  return text.length;
}

function bareEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[,:=}\])\n{[(]/.test(text[at] as string)) at++;
  return Math.max(start + 1, start + text.slice(start, at).trimEnd().length);
}
