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
