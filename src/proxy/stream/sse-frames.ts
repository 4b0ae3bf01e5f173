import { isObject, type JsonObject, type JsonValue, oddNumber } from '../../json/value.ts';
import type { TurnEvent } from '../../model/index.ts';
import { callEntries } from '../../provider/wire/openai-chat/calls.ts';
import { isNameable } from '../../provider/wire/turn-assembler.ts';

/** A frame of a stream: its bytes and its data. */
export interface SseFrame {
  readonly bytes: Buffer;
  /** The data; a comment has none. */
  readonly data?: string;
  /** The parsed data, if it was parsed already. */
  readonly value?: JsonValue;
  readonly name?: string;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits a stream into frames and keeps their bytes, so that unchanged frames are forwarded byte by byte. An SSE frame
 * ends with an empty line, and its lines with LF, CRLF or CR. An NDJSON frame ends with LF.
 */
export class SseFrames {
  readonly #framing: 'sse' | 'ndjson';
  readonly #maxFrame: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Whether the current line is empty. */
  #lineEmpty = true;
  /** Whether the last byte was a CR, which an LF may follow. If one CR was alone, all are. */
  #returned = false;
  #returnsAlone = false;
  #endedBy = 0;

  constructor(framing: 'sse' | 'ndjson', maxFrame: number) {
    this.#framing = framing;
    this.#maxFrame = maxFrame;
  }

  /** Whether a frame exceeds the limit. */
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
    // Remembers the next LF and CR, so that each byte is searched once for each.
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

  /** The frame after the last separator. */
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

const oneLine = 'data: ';

function sseFrame(bytes: Buffer): SseFrame {
  const text = bytes.toString('utf8');
  // Most frames are one line, which needs no splitting.
  if (text.startsWith(oneLine) && text.indexOf('\n') === text.length - 2 && !text.includes('\r'))
    return { bytes, data: text.slice(oneLine.length, -2) };
  let data: string | undefined;
  let name: string | undefined;
  for (const line of text.slice(text[0] === '\uFEFF' ? 1 : 0).split(/\r\n|[\r\n]/)) {
    const said = fieldOf(line, 'data');
    if (said !== undefined) data = data === undefined ? said : `${data}\n${said}`;
    else name = fieldOf(line, 'event') ?? name;
  }
  return { bytes, ...(data !== undefined && { data }), ...(name !== undefined && { name }) };
}

/** The value of a field in a line; undefined if the line is for another field. */
function fieldOf(line: string, field: string): string | undefined {
  if (!line.startsWith(field)) return undefined;
  const { length } = field;
  if (line.length === length) return '';
  return line[length] === ':' ? line.slice(line[length + 1] === ' ' ? length + 2 : length + 1) : undefined;
}

/** A frame that repeats an earlier one with another text. */
interface RepeatedFrame {
  readonly value: JsonValue;
  /** Whether the earlier one may be part of a call, and which. */
  readonly mayCall: boolean;
  readonly head: ChunkHead;
}

/** A frame split around its text. */
interface FramePattern extends RepeatedFrame {
  readonly name: string | undefined;
  readonly before: string;
  readonly after: string;
  /** The keys and indexes that lead to the text. */
  readonly path: readonly (string | number)[];
}

/** Fields with text that no decision about a frame depends on. */
const textFields: ReadonlySet<unknown> = new Set(['content', 'text', 'thinking', 'reasoning', 'reasoning_content']);
const argumentFields: ReadonlySet<unknown> = new Set(['arguments', 'partial_json']);

/** A text that no frame contains. */
const probe = '\u0000toolmend';
/** After this many patterns that no frame repeated, the frames of a stream are assumed to differ. */
const mostMisses = 8;
const longest = 2000;

/**
 * Reads frames that differ from an earlier one only in their text, as most frames of a stream do, without parsing them:
 * what is before and after the text is compared, and the text is read as a JSON string.
 */
export class RepeatedFrames {
  #pattern: FramePattern | undefined;
  #misses = 0;

  /** The value of a frame; undefined if it must be parsed. */
  read(frame: SseFrame): RepeatedFrame | undefined {
    const pattern = this.#pattern;
    const text = pattern && textIn(frame, pattern);
    if (text === undefined) return undefined;
    const { value, path, mayCall, head } = pattern as FramePattern;
    this.#misses = 0;
    return { value: withText(value, path, 0, text), mayCall, head };
  }

  /**
   * Joins frames of text that follow one another, except for calls, where each piece counts.
   *
   * @returns how many, and the value of a frame with all of their text; undefined if there are less than two
   */
  readRun(
    frames: readonly SseFrame[],
    from: number,
  ): { readonly count: number; readonly value: JsonValue } | undefined {
    const pattern = this.#pattern;
    if (!pattern || pattern.mayCall) return undefined;
    let text = '';
    let at = from;
    for (; at < frames.length; at += 1) {
      const more = textIn(frames[at] as SseFrame, pattern);
      if (more === undefined) break;
      text += more;
    }
    if (at - from < 2) return undefined;
    this.#misses = 0;
    return { count: at - from, value: withText(pattern.value, pattern.path, 0, text) };
  }

  /**
   * Remembers a parsed frame.
   *
   * @param text its text, as it was read
   * @param head whether it names or continues a call
   */
  learn({ data = '', name }: SseFrame, text: string, head: ChunkHead): void {
    if (this.#misses >= mostMisses || data.length > longest) return;
    this.#misses += 1;
    const written = JSON.stringify(text);
    const at = data.lastIndexOf(written);
    if (at < 0) return;
    const [before, after] = [data.slice(0, at), data.slice(at + written.length)];
    // How such numbers are written is remembered by object, and the objects are copied.
    if (oddNumber.test(before) || oddNumber.test(after)) return;
    // With another text in this place, the frame shows which field it is.
    const value = parsed(`${before}${JSON.stringify(probe)}${after}`);
    const path = pathTo(probe, value)?.reverse();
    const field = path?.at(-1);
    const isText = textFields.has(field);
    if (value === undefined || !path || !(isText || argumentFields.has(field))) return;
    const mayCall = !isText || mentionsCall(before) || mentionsCall(after);
    this.#pattern = { name, before, after, value, path, mayCall, head };
  }
}

/** The text of a frame that matches a pattern; undefined if it doesn't. */
function textIn({ data, name }: SseFrame, { before, after, name: expected }: FramePattern): string | undefined {
  if (data === undefined || name !== expected) return undefined;
  const end = data.length - after.length;
  // Comparing slices takes a seventh of the time of `startsWith`.
  if (end < before.length || data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
  return stringIn(data.slice(before.length, end));
}

function parsed(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The text of a JSON string; undefined if it is anything else. */
function stringIn(json: string): string | undefined {
  const text = json.startsWith('"') ? parsed(json) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Copies the objects around a text, because a reader may have kept the earlier ones. */
function withText(value: JsonValue, path: FramePattern['path'], at: number, text: string): JsonValue {
  const key = path[at];
  if (key === undefined) return text;
  if (Array.isArray(value)) {
    const list = [...value];
    list[key as number] = withText(list[key as number] as JsonValue, path, at + 1, text);
    return list;
  }
  const object = { ...(value as JsonObject) };
  object[key] = withText(object[key] as JsonValue, path, at + 1, text);
  return object;
}

/** The path to a string that occurs once, from its end; undefined if it doesn't occur. */
function pathTo(text: string, value: JsonValue | undefined): (string | number)[] | undefined {
  if (value === text) return [];
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const path = pathTo(text, value[at]);
      if (path?.push(at)) return path;
    }
  } else if (isObject(value)) {
    for (const key in value) {
      const path = pathTo(text, value[key]);
      if (path?.push(key)) return path;
    }
  }
  return undefined;
}

/** Whether a frame may start or continue a call, in any API format. Its keys may be escaped. */
export const mentionsCall = (data: string): boolean =>
  data.includes('tool') || data.includes('unction') || data.includes('\\u00');

const otherIndex = /"index"\s*:\s*"?\s*[1-9]|\\u00/;

/** Whether a frame can have a choice after the first, because parsing each frame twice costs too much. */
export const mayHaveOthers = ({ data }: SseFrame): boolean => data !== undefined && otherIndex.test(data);

/** Whether an event starts a call. */
export const startsCall = (event: TurnEvent): boolean => event.type === 'part.started' && event.part.type === 'call';

/** Whether an event continues a part. */
export const isDelta = (event: TurnEvent): boolean => event.type === 'part.delta';

/** Whether a chunk names a call or continues one, in the Chat or Gemini format. The reader may emit the call later. */
export type ChunkHead = 'name' | 'piece' | undefined;

export function headOf(chunk: unknown): ChunkHead {
  if (isObject(chunk) && Array.isArray(chunk.candidates)) return pieceHead(chunk.candidates);
  const choices = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  const calls = choices.flatMap((choice) => {
    const { tool_calls: listed, function_call: one } = fieldsOf(fieldsOf(choice).delta);
    // The deprecated form of a call.
    const only: JsonObject[] = isObject(one) ? [{ function: one }] : [];
    return listed ? [...callEntries(listed), ...only] : only;
  });
  // Custom calls start immediately.
  const functions = calls.filter((call) => isObject(call) && call.type !== 'custom' && !isObject(call.custom));
  if (functions.length === 0) return undefined;
  return functions.some((call) => isObject(call) && (call.id || (isObject(call.function) && call.function.name)))
    ? 'name'
    : 'piece';
}

/** Gemini calls whose arguments arrive in pieces with a path. */
function pieceHead(candidates: readonly unknown[]): ChunkHead {
  const calls = candidates.flatMap((one) => {
    const parts = isObject(one) && isObject(one.content) ? one.content.parts : undefined;
    return Array.isArray(parts) ? parts.map((part) => isObject(part) && (part.functionCall ?? part.function_call)) : [];
  });
  const pieces = calls.filter(isObject).filter((one) => one.willContinue === true || one.partialArgs !== undefined);
  if (pieces.length === 0) return undefined;
  return pieces.some(({ name }) => name) ? 'name' : 'piece';
}

/** Whether a frame starts a call without a usable name. In the Chat format it may follow later. */
export function isNameless(frame: unknown): boolean {
  const calls = begunIn(frame);
  return calls.length > 0 && calls.some(({ name }) => typeof name !== 'string' || !isNameable(name));
}

/** The calls that a frame of any API format starts. */
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

/**
 * What a frame reports besides its parts, as a frame of its own: the finish reason, the usage and their neighbors.
 * Undefined if it has neither. Only the Chat and the Gemini format put them into a frame with a call.
 */
export function endingOf(frame: unknown): JsonObject | undefined {
  const { choices, candidates, usage, usageMetadata } = fieldsOf(frame);
  if (Array.isArray(candidates)) {
    const ends = candidates.filter((one) => isFirst(one) && fieldsOf(one).finishReason);
    if (ends.length === 0 && !isObject(usageMetadata)) return undefined;
    return { ...fieldsOf(frame), candidates: ends.map((one) => without(one, ['content'])) };
  }
  if (!Array.isArray(choices)) return undefined;
  const ends = choices.filter((one) => isFirst(one) && fieldsOf(one).finish_reason);
  if (ends.length === 0 && !isObject(usage)) return undefined;
  const bare = ends.map((one) => ({ ...without(one, ['message', 'text', 'logprobs']), delta: {} }));
  return { ...fieldsOf(frame), choices: bare };
}

/** Whether such a frame has a finish reason. Without one, it only has a usage so far. */
export const hasFinish = ({ choices, candidates }: JsonObject): boolean => listOf(choices ?? candidates).length > 0;

const isFirst = (choice: unknown): boolean => Number(fieldsOf(choice).index ?? 0) === 0;

const without = (value: unknown, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fieldsOf(value)).filter(([key]) => !keys.includes(key)));

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
