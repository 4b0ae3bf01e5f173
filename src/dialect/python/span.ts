/** How far into a Python call a reader is: enough to know where the call ends. */
export interface PythonSpan {
  /** The brackets open inside the call; 0 between calls. */
  depth: number;
  /** The quote, or three of them, that ends the open string. */
  quote: string;
  escaped: boolean;
  /** Quotes at the end of a piece that may be the beginning of three. */
  quotes: string;
  /** The list around the calls is open. */
  list: boolean;
  /** The open call as it was written. */
  text: string;
}

export const newPythonSpan = (): PythonSpan => ({
  depth: 0,
  quote: '',
  escaped: false,
  quotes: '',
  list: false,
  text: '',
});

/** Reads on inside a call; gives the place after its closing bracket, or -1 where that has not come. */
export function scanPython(
  span: PythonSpan,
  text: string,
  from: number,
  ended: boolean,
): { at: number; closed: boolean } {
  let at = from;
  while (at < text.length) {
    const char = text[at] as string;
    if (span.quote) {
      if (span.escaped) span.escaped = false;
      else if (char === '\\') span.escaped = true;
      else if (text.startsWith(span.quote, at)) {
        at += span.quote.length - 1;
        span.quote = '';
      } else if (!ended && span.quote.length === 3 && at + 3 > text.length && span.quote.startsWith(text.slice(at)))
        break;
    } else if (char === '"' || char === "'") {
      const three = char.repeat(3);
      if (!ended && at + 3 > text.length && three.startsWith(text.slice(at))) break;
      span.quote = text.startsWith(three, at) ? three : char;
      at += span.quote.length - 1;
    } else if (char === '(' || char === '[' || char === '{') span.depth += 1;
    else if (char === ')' || char === ']' || char === '}') {
      span.depth -= 1;
      if (span.depth <= 0) return { at: at + 1, closed: true };
    }
    at += 1;
  }
  return { at, closed: false };
}
