const quote = 34;
const backslash = 92;
const openers = [123, 91];
const closers = [125, 93];

/** The nesting of JSON text that arrives in pieces, tracked without storing the text. The text needn't be valid. */
export interface Nesting {
  /** Number of characters so far. */
  size: number;
  /** Open objects and lists; negative if more were closed than opened. */
  depth: number;
  inString: boolean;
  escaped: boolean;
  /** Last character outside strings that isn't white space; 0 before the first. */
  last: number;
}

/** The nesting of a text. */
export function nestingOf(text = ''): Nesting {
  const nesting = { size: 0, depth: 0, inString: false, escaped: false, last: 0 };
  advance(nesting, text);
  return nesting;
}

/** Adds the next piece. Reads each character once. */
export function advance(nesting: Nesting, piece: string): void {
  nesting.size += piece.length;
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (nesting.inString) inString(nesting, code);
    else if (code > 32) outside(nesting, code);
  }
}

function inString(nesting: Nesting, code: number): void {
  if (nesting.escaped) nesting.escaped = false;
  else if (code === backslash) nesting.escaped = true;
  else if (code === quote) nesting.inString = false;
}

function outside(nesting: Nesting, code: number): void {
  nesting.last = code;
  if (code === quote) nesting.inString = true;
  else if (openers.includes(code)) nesting.depth += 1;
  else if (closers.includes(code)) nesting.depth -= 1;
}

/** Whether the text ends inside a string, an object or a list. */
export const isUnclosed = ({ depth, inString }: Nesting): boolean => inString || depth > 0;
