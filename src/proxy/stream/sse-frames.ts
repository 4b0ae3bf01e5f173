import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnEvent } from '../../model/index.ts';
import { isNameable } from '../../provider/wire/turn-assembler.ts';

/** One frame of a stream: its bytes as they came, and what they say. */
export interface SseFrame {
  readonly bytes: Buffer;
  /** The data, where it has any: a comment has none. */
  readonly data?: string;
  readonly name?: string;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts the bytes of a stream into frames and keeps them as they are, so that a frame nobody has to change can be passed on
 * to the byte. A frame of SSE ends with an empty line, and its lines with LF, CRLF or CR; one of NDJSON ends with LF.
 */
export class SseFrames {
  readonly #framing: 'sse' | 'ndjson';
  readonly #maxFrame: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Whether the line that is being read has anything in it. */
  #lineEmpty = true;
  /** The last byte was a CR, and an LF may belong to it. Where one CR stood alone, they all do. */
  #returned = false;
  #returnsAlone = false;
  #endedBy = 0;

  constructor(framing: 'sse' | 'ndjson', maxFrame: number) {
    this.#framing = framing;
    this.#maxFrame = maxFrame;
  }

  /** More than a frame may hold came without an end. */
  get tooLong(): boolean {
    return this.#held > this.#maxFrame;
  }

  feed(chunk: Buffer): SseFrame[] {
    const frames: SseFrame[] = [];
    const isEvents = this.#framing === 'sse';
    let from = 0;
    let line = 0;
    const end = (to: number, empty: boolean): void => {
      line = to;
      this.#lineEmpty = true;
      if (isEvents && !empty) return;
      frames.push(this.#frame(chunk.subarray(from, line)));
      from = line;
    };
    if (chunk.length > 0 && this.#returned) {
      this.#returned = false;
      this.#returnsAlone = chunk[0] !== lineFeed;
      end(this.#returnsAlone ? 0 : 1, this.#lineEmpty);
    } else if (this.#endedBy === carriageReturn && chunk[0] === lineFeed) line = 1;
    this.#endedBy = isEvents ? (chunk.at(-1) ?? this.#endedBy) : 0;
    // Each sign is looked for from where it was last found, so that every byte is passed once for each.
    let feedAt = chunk.indexOf(lineFeed, line);
    let returnAt = isEvents ? chunk.indexOf(carriageReturn, line) : -1;
    while (feedAt >= 0 || returnAt >= 0) {
      const isReturn = returnAt >= 0 && (feedAt < 0 || returnAt < feedAt);
      const at = isReturn ? returnAt : feedAt;
      const empty = this.#lineEmpty && at === line;
      if (isReturn && at === chunk.length - 1 && !this.#returnsAlone) {
        this.#lineEmpty = empty;
        this.#returned = true;
        break;
      }
      const isPair = isReturn && chunk[at + 1] === lineFeed;
      if (isReturn) this.#returnsAlone = !isPair;
      end(at + (isPair ? 2 : 1), empty);
      if (feedAt >= 0 && feedAt < line) feedAt = chunk.indexOf(lineFeed, line);
      if (returnAt >= 0 && returnAt < line) returnAt = chunk.indexOf(carriageReturn, line);
    }
    if (line < chunk.length && !this.#returned) this.#lineEmpty = false;
    this.#hold(chunk.subarray(from));
    return frames;
  }

  /** What stands behind the last end. */
  rest(): SseFrame[] {
    return this.#held > 0 ? [this.#frame(Buffer.alloc(0))] : [];
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#held += bytes.length;
  }

  #frame(last: Buffer): SseFrame {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#held = 0;
    this.#lineEmpty = true;
    return this.#framing === 'sse' ? sseFrame(bytes) : lineFrame(bytes);
  }
}

function lineFrame(bytes: Buffer): SseFrame {
  const data = bytes.toString('utf8').trim();
  return data === '' ? { bytes } : { bytes, data };
}

function sseFrame(bytes: Buffer): SseFrame {
  const text = bytes.toString('utf8');
  let data: string | undefined;
  let name: string | undefined;
  for (const line of text.slice(text[0] === '\uFEFF' ? 1 : 0).split(/\r\n|[\r\n]/)) {
    const said = fieldOf(line, 'data');
    if (said !== undefined) data = data === undefined ? said : `${data}\n${said}`;
    else name = fieldOf(line, 'event') ?? name;
  }
  return { bytes, ...(data !== undefined && { data }), ...(name !== undefined && { name }) };
}

/** What a line says of a field; nothing where it is a line of another. */
function fieldOf(line: string, field: string): string | undefined {
  if (!line.startsWith(field)) return undefined;
  const { length } = field;
  if (line.length === length) return '';
  return line[length] === ':' ? line.slice(line[length + 1] === ' ' ? length + 2 : length + 1) : undefined;
}

/** Whether a call begins. */
export const startsCall = (event: TurnEvent): boolean => event.type === 'part.started' && event.part.type === 'call';

/** Whether a part goes on. */
export const isDelta = (event: TurnEvent): boolean => event.type === 'part.delta';

/** What a chunk says of a call that comes in pieces, in chat's manner or Gemini's: the reader may wait before it says so. */
export type ChunkHead = 'name' | 'piece' | undefined;

export function headOf(chunk: unknown): ChunkHead {
  if (isObject(chunk) && Array.isArray(chunk.candidates)) return pieceHead(chunk.candidates);
  const choices = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  const calls = choices.flatMap((choice) =>
    isObject(choice) && isObject(choice.delta) && Array.isArray(choice.delta.tool_calls) ? choice.delta.tool_calls : [],
  );
  // Calls in free text begin at once.
  const functions = calls.filter((call) => isObject(call) && call.type !== 'custom' && !isObject(call.custom));
  if (functions.length === 0) return undefined;
  return functions.some((call) => isObject(call) && (call.id || (isObject(call.function) && call.function.name)))
    ? 'name'
    : 'piece';
}

/** Calls of Gemini whose arguments come in pieces, each with its place. */
function pieceHead(candidates: readonly unknown[]): ChunkHead {
  const calls = candidates.flatMap((one) => {
    const parts = isObject(one) && isObject(one.content) ? one.content.parts : undefined;
    return Array.isArray(parts) ? parts.map((part) => isObject(part) && (part.functionCall ?? part.function_call)) : [];
  });
  const pieces = calls.filter(isObject).filter((one) => one.willContinue === true || one.partialArgs !== undefined);
  if (pieces.length === 0) return undefined;
  return pieces.some(({ name }) => name) ? 'name' : 'piece';
}

/** Whether a frame begins a call that names nothing. Chat may name it later. */
export function isNameless(frame: unknown): boolean {
  const calls = begunIn(frame);
  return calls.length > 0 && calls.some(({ name }) => typeof name !== 'string' || !isNameable(name));
}

/** The calls that a frame of any format begins. */
function begunIn(frame: unknown): JsonObject[] {
  const { choices, candidates, content_block: block, item, message } = fieldsOf(frame);
  if (fieldsOf(block).type === 'tool_use') return [fieldsOf(block)];
  if (fieldsOf(item).type === 'function_call') return [fieldsOf(item)];
  const listed = [
    ...listOf(choices).flatMap((one) =>
      listOf(fieldsOf(fieldsOf(one).delta).tool_calls).filter((call) => fieldsOf(call).id),
    ),
    ...listOf(fieldsOf(message).tool_calls),
  ];
  const whole = listOf(candidates).flatMap((one) => listOf(fieldsOf(fieldsOf(one).content).parts));
  return [
    ...listed.filter((call) => isObject(fieldsOf(call).function)).map((call) => fieldsOf(fieldsOf(call).function)),
    ...whole.flatMap((part) => {
      const { functionCall: called } = fieldsOf(part);
      return isObject(called) && called.partialArgs === undefined && called.willContinue === undefined ? [called] : [];
    }),
  ];
}

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
