import { messageOf } from './tool-result.ts';

/** How much of a result the model reads, and where the rest goes. */
export interface CapOptions {
  /** Default 2,000. */
  readonly maxLines?: number;
  /** Default 50 KB, counted as UTF-8. */
  readonly maxBytes?: number;
  /** Keeps the whole text and gives the name under which it can be found. */
  readonly spill?: ((text: string, callId: string) => Promise<string>) | undefined;
}

const defaults = { maxLines: 2000, maxBytes: 50 * 1024 };

/** The text, or as much of its beginning as fits, with a word about the rest and where it is. */
export async function capText(text: string, callId: string, options: CapOptions = {}): Promise<string> {
  const { maxLines, maxBytes, spill } = { ...defaults, ...options };
  const end = Math.min(endOfLines(text, maxLines), endOfBytes(text, maxBytes));
  if (end >= text.length) return text;
  const kept = text.slice(0, end);
  const rest = `${text.length - end} of ${text.length} characters are left out`;
  if (!spill) return `${kept}\n[${rest}. Ask for less at once.]`;
  try {
    return `${kept}\n[${rest}. All of it: ${await spill(text, callId)}]`;
  } catch (error) {
    // The beginning is better than nothing: the tool has run.
    return `${kept}\n[${rest}, and could not be kept: ${messageOf(error)}]`;
  }
}

function endOfLines(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

/** Where so many bytes of UTF-8 end, never within a character. */
function endOfBytes(text: string, bytes: number): number {
  if (text.length * 3 <= bytes) return text.length;
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes + 1), new Uint8Array(bytes));
  return read;
}
