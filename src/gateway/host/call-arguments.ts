import { ReadBuffer, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isObject, type JsonValue } from '../../json/value.ts';
import { asReceived, parseBody } from '../../provider/wire/arguments.ts';

/**
 * Parses a message or a batch. Arguments that repeat a key become their source text, because `JSON.parse` only keeps
 * the last value, and mending must see them all. Throws a `SyntaxError` if the text isn't JSON.
 */
export function parseMessages(text: string): unknown {
  const value = parseBody(text);
  for (const message of Array.isArray(value) ? value : [value]) keepArguments(message);
  return value;
}

/** Returns whether the message was changed. */
function keepArguments(message: JsonValue): boolean {
  const params = isObject(message) ? message.params : undefined;
  if (!isObject(params)) return false;
  const { arguments: args } = params as { arguments?: JsonValue };
  if (args === undefined || asReceived(args) === args) return false;
  Object.assign(params, { arguments: asReceived(args) });
  return true;
}

/** The line, or the same message with the source text of its arguments. */
function keptLine(line: string): string {
  try {
    const message = parseBody(line);
    return keepArguments(message) ? JSON.stringify(message) : line;
  } catch {
    // The transport reports it.
    return line;
  }
}

const lineEnd = 10;

/** Buffers complete lines, so that their arguments can be read before the SDK parses them. */
class ArgumentsBuffer extends ReadBuffer {
  #chunks: Buffer[] = [];
  #size = 0;

  override append(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(lineEnd); at >= 0; at = rest.indexOf(lineEnd)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, at)]).toString('utf8');
      this.#reset();
      super.append(Buffer.from(`${keptLine(line)}\n`));
      rest = rest.subarray(at + 1);
    }
    this.#chunks.push(rest);
    this.#size += rest.length;
    if (this.#size > STDIO_DEFAULT_MAX_BUFFER_SIZE) throw new RangeError('The message is too long');
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

/** The SDK's transport for stdio, with arguments as the client wrote them. */
export class StdioTransport extends StdioServerTransport {
  constructor() {
    super();
    Object.assign(this, { _readBuffer: new ArgumentsBuffer() });
  }
}
