import type { JsonObject, JsonValue } from '../../json/value.ts';
import type {
  Format,
  OpaqueTool,
  ToolSpec,
  TurnError,
  TurnEvent,
  TurnRequest,
  TurnResponse,
} from '../../model/index.ts';

/** Something a format has no word for, so that it was left out or said otherwise. */
export interface Warning {
  /** Where it stood in the middle shape: `messages.2.parts.0`. */
  readonly where: string;
  /** What became of it, in a sentence. */
  readonly what: string;
}

/** A body, ready to be sent, and what it could not say. */
export interface Written {
  readonly wire: JsonObject;
  readonly losses: readonly Warning[];
}

/** What a request says outside its body: some wires keep it in the address. */
export interface Address {
  readonly model?: string;
  readonly stream?: boolean;
}

/** Reads the frames of one stream, each parsed already, and emits the middle shape's events as they come. */
export interface StreamReader {
  /** @param name the name of the event, where the wire names them */
  frame(data: JsonValue, name?: string): void;
  /** The wire's own end mark, `[DONE]`: what is missing now will not come. */
  done(): void;
  /** The bytes ended: emits how the turn ended unless that was said already. */
  end(error?: TurnError): void;
}

/** Writes the middle shape's events as the text of one stream. */
export interface StreamWriter {
  write(event: TurnEvent): string;
  /** Takes note of an event that went out as somebody else wrote it, so that what follows it goes on from there. */
  pass(event: TurnEvent): void;
}

/**
 * One wire, both ways. Every function is pure: `read(write(x)) = x` for what the wire can say, and `write(read(w)) = w`.
 * Names, ids and schemas a provider would refuse are fitted before writing (`fit`), not here.
 */
export interface Provider {
  readonly format: Format;
  /** How a stream is cut into frames. */
  readonly framing: 'sse' | 'ndjson';
  readRequest(wire: unknown, address?: Address): TurnRequest;
  writeRequest(request: TurnRequest): Written;
  /** The path a request goes to, below the provider's base URL. */
  pathOf(request: TurnRequest): string;
  readTools(wire: unknown): (ToolSpec | OpaqueTool)[];
  writeTools(tools: readonly (ToolSpec | OpaqueTool)[]): JsonValue[];
  readResponse(wire: unknown): TurnResponse;
  writeResponse(response: TurnResponse): Written;
  readStream(emit: (event: TurnEvent) => void): StreamReader;
  writeStream(): StreamWriter;
  /** Reads an answer that says what went wrong. */
  readError(status: number, body: unknown): TurnError;
  writeError(error: TurnError): JsonObject;
}
