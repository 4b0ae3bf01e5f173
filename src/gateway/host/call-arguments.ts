import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { LineBuffer } from '../../execute/mcp/line-buffer.ts';
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

/** The SDK's transport for stdio, with arguments as the client wrote them. */
export class StdioTransport extends StdioServerTransport {
  constructor() {
    super();
    Object.assign(this, { _readBuffer: new LineBuffer(keptLine) });
  }
}
