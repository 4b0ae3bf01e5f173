/** Progress within a Python call: enough to know where it ends. */
export interface PythonSpan {
  /** Open brackets in the call; 0 between calls. */
  depth: number;
  /** The quote, or three of them, that ends the open string. */
  quote: string;
  escaped: boolean;
  /** Quotes at the end of a chunk that may be the start of three. */
  quotes: string;
  /** Whether the list around the calls is open. */
  list: boolean;
  /** The text of the open call. */
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

/** Continues in a call; returns the offset after its closing bracket, or -1 if it hasn't arrived. */
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
