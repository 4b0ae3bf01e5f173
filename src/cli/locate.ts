import type { Path } from '../json/value.ts';
import { scanJson } from './scan-json.ts';

/** A place in a text: lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset. */
export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/**
 * Where the value at a path begins in JSON text. Where the path leads nowhere it is the nearest value around it.
 * Of repeated keys the last counts, as it does for `JSON.parse`.
 */
export function locate(text: string, path: Path): Position {
  let best = -1;
  let offset = 0;
  scanJson(text, (steps, start) => {
    if (steps.length < best || steps.length > path.length) return;
    if (!steps.every((step, index) => step === path[index])) return;
    best = steps.length;
    offset = start;
  });
  return positionOf(text, offset);
}
