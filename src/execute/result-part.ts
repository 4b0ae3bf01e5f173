import { ToolmendError } from '../json/toolmend-error.ts';
import type { FailedResult } from '../mend/feedback/feedback.ts';
import type { ResultPart, TextPart } from '../model/index.ts';
import { isToolOutput, messageOf, type ToolOutput, type ToolResult } from './tool-result.ts';

/** How results are shown to the model. */
export interface ResultOptions extends CapOptions {
  /** `text`: plain text, and JSON for values. `structured`: the complete result as JSON. */
  readonly form?: 'text' | 'structured';
}

/** The result part, and the result, which becomes a failure if it can't be serialized. */
export interface Shaped {
  readonly part: ResultPart;
  readonly result: ToolResult;
}

/**
 * Converts a result to a part for the model, shortened to the limits. Output that JSON can't express (a cycle, a
 * BigInt) becomes a failure.
 */
export async function resultPart(
  call: { readonly callId: string; readonly name: string },
  result: ToolResult,
  options: ResultOptions = {},
): Promise<Shaped> {
  try {
    const content = await contentOf(call.callId, result, options);
    return { result, part: { type: 'result', ...call, content, ...(!result.ok && { isError: true }) } };
  } catch (error) {
    const failed = unwritable(error);
    return { result: failed, part: { type: 'result', ...call, content: [text(failureText(failed))], isError: true } };
  }
}

async function contentOf(callId: string, result: ToolResult, options: ResultOptions): Promise<ResultPart['content']> {
  const cap = (whole: string): Promise<string> => capText(whole, callId, options);
  if (options.form === 'structured') return [text(await cap(toJson(plain(result))))];
  if (!result.ok) return [text(await cap(failureText(result)))];
  const { data, note } = result;
  const noted = note === undefined ? [] : [text(`Note: ${note}`)];
  if (!isToolOutput(data)) return [text(await cap(typeof data === 'string' ? data : toJson(data))), ...noted];
  return [...(await cappedPieces(data.content, callId, options)), ...noted];
}

/** Limits the total text of the parts. If it is too long, they become one text. */
async function cappedPieces(
  pieces: ToolOutput['content'],
  callId: string,
  options: ResultOptions,
): Promise<ResultPart['content']> {
  const whole = pieces.flatMap((piece) => (piece.type === 'text' ? piece.text : [])).join('\n');
  const capped = await capText(whole, callId, options);
  if (capped === whole) return pieces;
  return [text(capped), ...pieces.filter((piece) => piece.type !== 'text')];
}

/** The text of a failure for the model. */
export function failureText({ error, recommendations, note }: FailedResult): string {
  const listed = recommendations.map((one) => `- ${one}`);
  return [error, ...(listed.length > 0 ? ['', ...listed] : []), ...(note ? ['', `Note: ${note}`] : [])].join('\n');
}

const text = (words: string): TextPart => ({ type: 'text', text: words });

const plain = (result: ToolResult): unknown =>
  result.ok && isToolOutput(result.data) ? { ...result, data: result.data.structured ?? result.data.content } : result;

function toJson(value: unknown): string {
  // A tool without output has still run, and the model must know.
  if (value === undefined) return 'Done.';
  const written = JSON.stringify(value);
  if (written === undefined) throw new ToolmendError('unsupported', `a ${typeof value} is not JSON`);
  return written;
}

function unwritable(error: unknown): FailedResult {
  const why = error instanceof Error ? error.message.split('\n')[0] : 'it is not JSON';
  return {
    ok: false,
    error: `The tool ran, but its result can't be serialized: ${why}`,
    errorType: 'runtime',
    retryable: false,
    recommendations: ['Do not repeat the call: it has run. Tell the user that its result is lost'],
  };
}

/** How much of a result the model gets, and where the rest goes. */
interface CapOptions {
  /** @default 2_000 */
  readonly maxLines?: number;
  /**
   * Bytes of UTF-8.
   * @default 50 KB
   */
  readonly maxBytes?: number;
  /** Stores the complete text, and returns a name for it. */
  readonly spill?: ((text: string, callId: string) => Promise<string>) | undefined;
}

const defaults = { maxLines: 2000, maxBytes: 50 * 1024 };

/** Shortens a text to the limits, with a note about the rest. */
async function capText(text: string, callId: string, options: CapOptions = {}): Promise<string> {
  const { maxLines, maxBytes, spill } = { ...defaults, ...options };
  const end = Math.min(endOfLines(text, maxLines), endOfBytes(text, maxBytes));
  if (end >= text.length) return text;
  const kept = text.slice(0, end);
  const rest = `${text.length - end} of ${text.length} characters are left out`;
  if (!spill) return `${kept}\n[${rest}. Ask for less at once.]`;
  try {
    return `${kept}\n[${rest}. All of it: ${await spill(text, callId)}]`;
  } catch (error) {
    // The tool has run, so the start is kept even if the rest can't be stored.
    return `${kept}\n[${rest}, and could not be stored: ${messageOf(error)}]`;
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

/** The offset after this many UTF-8 bytes, at a character boundary. */
function endOfBytes(text: string, bytes: number): number {
  if (text.length * 3 <= bytes) return text.length;
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes + 1), new Uint8Array(bytes));
  return read;
}

/** The text of a result; undefined if it has other content. */
export function resultText(content: ResultPart['content']): string | undefined {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}
