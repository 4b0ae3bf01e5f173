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
