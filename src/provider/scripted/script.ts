import { checkArgument } from '../../json/value.ts';
import type {
  AssistantPart,
  CallPart,
  FinishReason,
  ModelRequest,
  TurnError,
  TurnResponse,
  Usage,
} from '../../model/index.ts';

/** A scripted call. Only its name is required. */
export type ScriptedCall = Pick<CallPart, 'name'> & Partial<Omit<CallPart, 'type' | 'name'>>;

/**
 * One turn of a script: reasoning, text and calls, in this order, and how to stream them. Arguments written as text are
 * sent unchanged, damaged or not.
 *
 * @example
 * { text: 'I look.', calls: [{ name: 'read_file', arguments: "{path: 'a.ts',}" }], chunk: 4 }
 */
export interface ScriptedTurn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The parts of the message, instead of `reasoning`, `text` and `calls`. */
  readonly parts?: readonly AssistantPart[];
  readonly id?: string;
  /** @default 'tool_calls' if there are calls, otherwise 'stop' */
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** Fails the turn with this error after its output. */
  readonly error?: Pick<TurnError, 'message'> & Partial<TurnError>;
  /**
   * Characters per delta.
   * @default all in one delta
   */
  readonly chunk?: number;
  /** Milliseconds before the first event. */
  readonly delay?: number;
  /** Milliseconds before each delta. */
  readonly pace?: number;
}

/** A turn: scripted, recorded, or only its text. */
export type Play = string | ScriptedTurn | TurnResponse;

/**
 * What a scripted model plays: a list of turns, or a function that returns each turn and can inspect the request,
 * including the results of earlier calls.
 *
 * @param turn counts from 0
 */
export type Script<P = Play> = readonly P[] | ((question: ModelRequest, turn: number) => P | Promise<P>);

/** Throws unless a value is a script. */
export const checkIsScript = (script: unknown): void =>
  checkArgument(
    Array.isArray(script) || typeof script === 'function',
    'script',
    'a list of turns, or a function',
    script,
  );

/** Bytes that are sent unchanged for any request, to test damaged responses. */
export interface RawTurn {
  readonly raw: string | Uint8Array | readonly (string | Uint8Array)[];
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the first byte, and before each chunk. */
  readonly delay?: number;
  readonly pace?: number;
  /** Closes the connection after the last byte, so that the response never ends. */
  readonly kill?: boolean;
}

/** A turn that a server plays: a scripted turn, optionally truncated after a number of bytes, or raw bytes. */
export type ServedTurn = Play | (ScriptedTurn & { readonly truncateAfter?: number }) | RawTurn;

export const isRaw = (turn: ServedTurn): turn is RawTurn => typeof turn === 'object' && 'raw' in turn;

/** Number of bytes after which the connection is closed. */
export const truncatedAfter = (turn: Exclude<ServedTurn, RawTurn>): number =>
  typeof turn === 'object' && 'truncateAfter' in turn
    ? ((turn as { truncateAfter?: number }).truncateAfter ?? Infinity)
    : Infinity;
