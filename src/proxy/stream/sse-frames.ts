/** One frame of a stream: its bytes as they came, and what they say. */
export interface RawFrame {
  readonly bytes: Buffer;
  /** The data, where it has any: a comment has none. */
  readonly data?: string;
  readonly name?: string;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts the bytes of a stream into frames and keeps them as they are, so that a frame nobody has to change can be passed on
 * to the byte. Lines end with LF or CRLF; a frame of SSE ends with an empty line, one of NDJSON with its line.
 */
export class RawFrames {
  readonly #framing: 'sse' | 'ndjson';
  readonly #maxFrame: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Whether the line that is being read has anything in it. */
  #lineEmpty = true;

  constructor(framing: 'sse' | 'ndjson', maxFrame: number) {
    this.#framing = framing;
    this.#maxFrame = maxFrame;
  }

  /** More than a frame may hold came without an end. */
  get tooLong(): boolean {
    return this.#held > this.#maxFrame;
  }

  feed(chunk: Buffer): RawFrame[] {
    const frames: RawFrame[] = [];
    let from = 0;
    let line = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
      const empty = this.#lineEmpty && isBlank(chunk, line, at);
      line = at + 1;
      this.#lineEmpty = true;
      if (this.#framing === 'sse' && !empty) continue;
      frames.push(this.#frame(chunk.subarray(from, line)));
      from = line;
    }
    if (line < chunk.length && !isBlank(chunk, line, chunk.length)) this.#lineEmpty = false;
    this.#hold(chunk.subarray(from));
    return frames;
  }

  /** What stands behind the last end. */
  rest(): RawFrame[] {
    return this.#held > 0 ? [this.#frame(Buffer.alloc(0))] : [];
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#held += bytes.length;
  }

  #frame(last: Buffer): RawFrame {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#held = 0;
    this.#lineEmpty = true;
    return this.#framing === 'sse' ? sseFrame(bytes) : lineFrame(bytes);
  }
}

/** Nothing but the end of a line. */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return from === to || (to - from === 1 && bytes[from] === carriageReturn);
}

function lineFrame(bytes: Buffer): RawFrame {
  const data = bytes.toString('utf8').trim();
  return data === '' ? { bytes } : { bytes, data };
}

function sseFrame(bytes: Buffer): RawFrame {
  const text = bytes.toString('utf8');
  let data: string | undefined;
  let name: string | undefined;
  for (let from = text[0] === '\uFEFF' ? 1 : 0; from < text.length; ) {
    const at = text.indexOf('\n', from);
    const end = at < 0 ? text.length : at;
    const line = text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    const said = fieldOf(line, 'data');
    if (said !== undefined) data = data === undefined ? said : `${data}\n${said}`;
    else name = fieldOf(line, 'event') ?? name;
    from = end + 1;
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
