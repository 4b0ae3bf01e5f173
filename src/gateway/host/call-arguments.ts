import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { LineBuffer } from '../../execute/mcp/line-buffer.ts';
import { scanSpans } from '../../json/spans.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { equal, isObject, type JsonValue, parseJson, stringifyJson, textAsWritten } from '../../json/value.ts';
import { asReceived, parseBody } from '../../provider/wire/arguments.ts';

/** A message or a batch, or the error to respond with. */
export type ParsedMessages = { readonly value: unknown } | { readonly error: RpcError };

/**
 * Parses a message or a batch. Arguments that repeat a key become their source text, because `JSON.parse` only keeps
 * the last value, and mending must see them all. If another key has two values, the message is refused. Throws a
 * `SyntaxError` if the text isn't JSON.
 */
export function parseMessages(text: string): ParsedMessages {
  const value = parseBody(text);
  const error = refusalOf(text, value);
  if (error) return { error };
  for (const message of Array.isArray(value) ? value : [value]) keepArguments(message);
  return { value };
}

/** An error response of JSON-RPC. */
export interface RpcError {
  readonly jsonrpc: '2.0';
  readonly id: JsonValue;
  readonly error: { readonly code: number; readonly message: string };
}

/** The error for a message that gives a key two values. */
function refusalOf(text: string, message: JsonValue): RpcError | undefined {
  const key = repeatedKey(text);
  if (key === undefined) return undefined;
  const id = key !== 'id' && isObject(message) ? (message.id ?? null) : null;
  const error = { code: -32600, message: `The message is invalid: '${key}' is given twice with different values` };
  return { jsonrpc: '2.0', id, error };
}

/** A key outside of arguments that has two values. A client and the gateway could each see another of them. */
function repeatedKey(text: string): string | undefined {
  const open: Map<string, string>[] = [];
  let repeated: string | undefined;
  scanSpans(text, (path, start, end) => {
    const depth = path.length;
    open.length = Math.min(open.length, depth);
    const key = path[depth - 1];
    const message = typeof path[0] === 'number' ? 1 : 0;
    const isArgument = path[message] === 'params' && path[message + 1] === 'arguments';
    if (typeof key !== 'string' || isArgument || repeated !== undefined) return;
    while (open.length < depth) open.push(new Map());
    const values = open[depth - 1] as Map<string, string>;
    const [earlier, source] = [values.get(key), text.slice(start, end)];
    if (earlier === undefined) values.set(key, source);
    else if (!isSameValue(earlier, source)) repeated = key;
  });
  return repeated;
}

function isSameValue(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseJson(one), parseJson(other)];
  return equal(first, second) && textAsWritten(first) === textAsWritten(second);
}

/** Returns whether the message was changed. `isWritten`: it will be parsed again, which would lose digits of numbers. */
function keepArguments(message: JsonValue, isWritten = false): boolean {
  const params = isObject(message) ? message.params : undefined;
  if (!isObject(params)) return false;
  const { arguments: args } = params as { arguments?: JsonValue };
  if (args === undefined) return false;
  const received = asReceived(args);
  const kept = received === args && isWritten ? (textAsWritten(args) ?? args) : received;
  if (kept === args) return false;
  Object.assign(params, { arguments: kept });
  return true;
}

/** The SDK's transport for stdio, with arguments as the client wrote them. */
export class StdioTransport extends StdioServerTransport {
  constructor() {
    super();
    Object.assign(this, { _readBuffer: new LineBuffer((line) => this.#read(line)) });
  }

  /** The line, or the same message with the source text of its arguments. */
  #read(line: string): string {
    try {
      const message = parseBody(line);
      const error = refusalOf(line, message);
      if (error) return this.#refuse(message, error);
      return keepArguments(message, true) ? stringifyJson(message) : line;
    } catch {
      // The transport reports it.
      return line;
    }
  }

  /** Responds with an error. If the message is a response itself, its request fails. */
  #refuse(message: JsonValue, error: RpcError): string {
    const isRequest = isObject(message) && message.method !== undefined;
    if (!isRequest && error.id !== null) return stringifyJson({ ...error });
    this.onerror?.(new ToolmendError('invalid_body', error.error.message));
    // A notification has no response.
    if (isObject(message) && message.id !== undefined) this.send(error as never).catch(() => {});
    return '';
  }
}
