const quote = 34;
const backslash = 92;
const openers = [123, 91];
const closers = [125, 93];
/** After a colon, a comma or an opening bracket a value may begin. */
const beforeValue = [58, 44, 91];

/** How far a call's argument text has come, told without keeping the text. */
export interface ArgumentScan {
  size: number;
  depth: number;
  inString: boolean;
  escaped: boolean;
  /** The last character outside strings that is no space; 0 before the first. */
  last: number;
}

export const newScan = (): ArgumentScan => ({ size: 0, depth: 0, inString: false, escaped: false, last: 0 });

/** Takes the next piece: each character is looked at once. */
export function scanArguments(scan: ArgumentScan, piece: string): void {
  scan.size += piece.length;
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (scan.inString) inString(scan, code);
    else if (code > 32) outside(scan, code);
  }
}

function inString(scan: ArgumentScan, code: number): void {
  if (scan.escaped) scan.escaped = false;
  else if (code === backslash) scan.escaped = true;
  else if (code === quote) scan.inString = false;
}

function outside(scan: ArgumentScan, code: number): void {
  scan.last = code;
  if (code === quote) scan.inString = true;
  else if (openers.includes(code)) scan.depth += 1;
  else if (closers.includes(code)) scan.depth -= 1;
}

/** Whether all that was opened is closed, so that what follows can't belong to the same value. */
export const isComplete = ({ last, depth, inString }: ArgumentScan): boolean => last !== 0 && depth <= 0 && !inString;

/** Whether a brace may come next: as a character of a string, or as the beginning of a value inside what is open. */
export const mayHoldBrace = ({ last, inString }: ArgumentScan): boolean => inString || beforeValue.includes(last);
