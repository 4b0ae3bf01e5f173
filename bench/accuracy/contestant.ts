import type { FinishReason } from '../../src/model/index.ts';
import type { Definition } from '../../test/damage/definition.ts';

/** A call as a model wrote it, with its arguments as text. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
  readonly finishReason?: FinishReason;
}

/** The input that a tool ran with. */
export interface ToolRun {
  readonly name: string;
  readonly input: unknown;
}

/** Gives one written call to a contestant, and returns what ran: nothing if it was refused. */
export type Answer = (
  tools: readonly Definition[],
  call: WrittenCall,
) => readonly ToolRun[] | Promise<readonly ToolRun[]>;

/** A library or framework in the comparison, used as a careful user would. */
export interface Contestant {
  readonly name: string;
  /** How it is used, in one sentence. */
  readonly how: string;
  /** Its packages, for their versions. */
  readonly packages: readonly string[];
  readonly answer: Answer;
  /** Why its types can't express a call. The trial is then skipped for it, and counted. */
  readonly unable?: (tool: Definition, meant: unknown) => string | undefined;
  /** Set if its types don't distinguish a null member from a missing one. */
  readonly nullIsAbsent?: true;
}
