const quote = 34;
const backslash = 92;
const openers = [123, 91];
const closers = [125, 93];

/** How far JSON text has come that arrives in pieces, known without keeping the text. It need not be sound. */
export interface Nesting {
  /** How many characters have come. */
  size: number;
  /** Objects and lists that are open; negative where more were closed than opened. */
  depth: number;
  inString: boolean;
  escaped: boolean;
  /** The last character outside strings that is no space; 0 before the first. */
  last: number;
}

/** The nesting of a text, or of one of which nothing has come yet. */
export function nestingOf(text = ''): Nesting {
  const nesting = { size: 0, depth: 0, inString: false, escaped: false, last: 0 };
  advance(nesting, text);
  return nesting;
}

/** Takes the next piece of the text. Each character is looked at once. */
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
