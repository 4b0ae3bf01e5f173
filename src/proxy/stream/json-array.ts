import { Readable } from 'node:stream';
import { type SseFrame, SseFrames } from './sse-frames.ts';

/**
 * Splits a stream that is one JSON list, as Gemini sends it without `alt=sse`. Each item becomes a frame as soon as it is
 * complete.
 */
export class ArrayFrames {
  readonly #maxFrame: number;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Open brackets, including that of the list. */
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(maxFrame: number) {
    this.#maxFrame = maxFrame;
  }

  get tooLong(): boolean {
    return this.#held > this.#maxFrame;
  }

  feed(chunk: Buffer): SseFrame[] {
    const frames: SseFrame[] = [];
    let from = this.#depth > 1 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const char = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (char === 0x5c) this.#escaped = true;
        else if (char === 0x22) this.#inString = false;
      } else if (char === 0x22) this.#inString = true;
      else if (char === 0x7b || char === 0x5b) {
        this.#depth += 1;
        if (this.#depth === 2) from = at;
      } else if (char === 0x7d || char === 0x5d) {
        this.#depth -= 1;
        if (this.#depth !== 1 || from < 0) continue;
        frames.push(this.#frame(chunk.subarray(from, at + 1)));
        from = -1;
      }
    }
    if (from >= 0) {
      const left = chunk.subarray(from);
      this.#pieces.push(left);
      this.#held += left.length;
    }
    return frames;
  }

  /** An item that was never completed. */
  rest(): SseFrame[] {
    return this.#held > 0 ? [this.#frame(Buffer.alloc(0))] : [];
  }

  #frame(last: Buffer): SseFrame {
    const text = Buffer.concat([...this.#pieces, last]).toString('utf8');
    this.#pieces = [];
    this.#held = 0;
    // JSON strings contain no line breaks.
    const data = text.replace(/[\r\n]+/g, ' ');
    return { bytes: Buffer.from(`data: ${data}\r\n\r\n`), data };
  }
}

/** Writes server-sent events as the items of one JSON list. */
export class ArrayWriter {
  readonly #frames = new SseFrames('sse', Number.POSITIVE_INFINITY);
  #any = false;

  take(pieces: readonly Buffer[]): Buffer[] {
    return pieces.flatMap((piece) => this.#items(this.#frames.feed(piece)));
  }

  end(): Buffer[] {
    const last = this.#items(this.#frames.rest());
    return [...last, Buffer.from(this.#any ? '\r\n]' : '[]')];
  }

  #items(frames: readonly SseFrame[]): Buffer[] {
    return frames.flatMap(({ data }) => {
      if (data === undefined) return [];
      const before = this.#any ? ',\r\n' : '[';
      this.#any = true;
      return [Buffer.from(`${before}${data}`)];
    });
  }
}

/** The first bytes of a stream, and a stream with all of them. */
export async function peek(stream: Readable, isEnough: (head: Buffer) => boolean): Promise<[Buffer, Readable]> {
  const pieces = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (!isEnough(head)) {
    const { value, done } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  return [head, Readable.from(all(), { objectMode: false })];
}
