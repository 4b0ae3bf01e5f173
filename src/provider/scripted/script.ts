import type {
  AssistantPart,
  CallPart,
  FinishReason,
  ModelRequest,
  TurnError,
  TurnResponse,
  Usage,
} from '../../model/index.ts';

/** A call that a script makes: only its name must be said. */
export type ScriptedCall = Pick<CallPart, 'name'> & Partial<Omit<CallPart, 'type' | 'name'>>;

/**
 * One turn of a script: what is said, in the order thought, words, calls, and how. Arguments given as text are played
 * as they stand, damaged or not.
 *
 * @example
 * { text: 'I look.', calls: [{ name: 'read_file', arguments: "{path: 'a.ts',}" }], chunk: 4 }
 */
export interface ScriptedTurn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** What is said, part by part, in place of the three above. */
  readonly parts?: readonly AssistantPart[];
  readonly id?: string;
  /** `tool_calls` where there are calls, else `stop`, unless it is said. */
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** The turn fails with this, after all that is said. */
  readonly error?: Pick<TurnError, 'message'> & Partial<TurnError>;
  /** Characters in a piece of text; all in one piece unless it is said. */
  readonly chunk?: number;
  /** Milliseconds before the first event. */
  readonly delay?: number;
  /** Milliseconds before each piece. */
  readonly pace?: number;
}

/** A turn: written, recorded, or just the words. */
export type Play = string | ScriptedTurn | TurnResponse;

/**
 * What a scripted model plays: turns one after the other, or a function that is asked for each turn and may look at the
 * question, and so at the results of earlier calls.
 *
 * @param turn counts from 0
 */
export type Script<P = Play> = readonly P[] | ((question: ModelRequest, turn: number) => P | Promise<P>);
