import { ReadBuffer, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/client';
import { ToolmendError } from '../../json/toolmend-error.ts';

const lineEnd = 10;

/** The SDK's buffer for stdio, with a function that can replace each complete line before it is parsed. */
export class LineBuffer extends ReadBuffer {
  readonly #replace: (line: string) => string;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(replace: (line: string) => string) {
    super();
    this.#replace = replace;
  }

  override append(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(lineEnd); at >= 0; at = rest.indexOf(lineEnd)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, at)]).toString('utf8');
      this.#reset();
      super.append(Buffer.from(`${this.#replace(line)}\n`));
      rest = rest.subarray(at + 1);
    }
    this.#chunks.push(rest);
    this.#size += rest.length;
    if (this.#size > STDIO_DEFAULT_MAX_BUFFER_SIZE)
      throw new ToolmendError(
        'too_large',
        `A message has more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes on one line`,
      );
  }

  override clear(): void {
    super.clear();
    this.#reset();
  }

  #reset(): void {
    this.#chunks = [];
    this.#size = 0;
  }
}
