import type { JsonObject, JsonValue } from '../../json/value.ts';
import type {
  CallPart,
  Format,
  OpaqueTool,
  ToolSpec,
  TurnError,
  TurnEvent,
  TurnRequest,
  TurnResponse,
} from '../../model/index.ts';

/** Something that a format can't express, so it was dropped or replaced. */
export interface Warning {
  /** Path in the common format: `messages.2.parts.0`. */
  readonly where: string;
  /** What was done, in a sentence. */
  readonly what: string;
}

/** A body to send, and its warnings. */
export interface Written {
  readonly wire: JsonObject;
  readonly warnings: readonly Warning[];
}

/** What a request says in its URL instead of its body. */
export interface Address {
  readonly model?: string;
  readonly stream?: boolean;
}

/** Reads the parsed frames of a stream, and emits events as they arrive. */
export interface StreamReader {
  /** Whether a call has started that isn't emitted yet, because it may repeat another. */
  readonly pending: boolean;
  /** @param name the name of the event, if the API names events */
  frame(data: JsonValue, name?: string): void;
  /** The API's end marker, `[DONE]`. */
  done(): void;
  /** The end of the bytes. Ends the turn if it hasn't ended. */
  end(error?: TurnError): void;
}

/** Writes events as the text of a stream. */
export interface StreamWriter {
  write(event: TurnEvent): string;
  /** Records an event that was sent in its original form, so that later events continue from it. */
  pass(event: TurnEvent): void;
}

/**
 * Reads and writes one API format. All functions are pure: `read(write(x)) = x` for what the format can express, and
 * `write(read(w)) = w`. Names, ids and schemas are adapted to the provider before writing (`fitRequest`), not here.
 */
export interface Provider {
  readonly format: Format;
  /** How a stream is split into frames. */
  readonly framing: 'sse' | 'ndjson';
  readRequest(wire: unknown, address?: Address): TurnRequest;
  writeRequest(request: TurnRequest): Written;
  /** The path of a request, relative to the provider's base URL. */
  pathOf(request: TurnRequest): string;
  readTools(wire: unknown): (ToolSpec | OpaqueTool)[];
  writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[];
  readResponse(wire: unknown): TurnResponse;
  writeResponse(response: TurnResponse): Written;
  readStream(emit: (event: TurnEvent) => void): StreamReader;
  writeStream(): StreamWriter;
  /** Reads an error response. */
  readError(status: number, body: unknown): TurnError;
  writeError(error: TurnError): JsonObject;
  /**
   * Whether a call can be written.
   * @default all can
   */
  readonly expresses?: (call: CallPart) => boolean;
}
