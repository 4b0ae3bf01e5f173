import type { FinishReason } from '../../src/model/index.ts';
import type { Definition } from '../../test/damage/definition.ts';

/** A call as a model wrote it: on the wire arguments are text, whoever reads them. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
  readonly finishReason?: FinishReason;
}

/** What a tool was run with. */
export interface ToolRun {
  readonly name: string;
  readonly input: unknown;
}

/** Puts one written call to a contestant; gives what ran, which is nothing where it was refused. */
export type Answer = (
  tools: readonly Definition[],
  call: WrittenCall,
) => readonly ToolRun[] | Promise<readonly ToolRun[]>;

/** Whoever takes part, used as a careful user of it would. */
export interface Contestant {
  readonly name: string;
  /** How it is used, in one sentence. */
  readonly how: string;
  /** Its packages, for their versions. */
  readonly packages: readonly string[];
  readonly answer: Answer;
  /** Why what is meant can't be said in its types; the trial is then left out for it, and counted. */
  readonly unable?: (tool: Definition, meant: unknown) => string | undefined;
  /** Set where its types know no difference between a member that is null and one that is not there. */
  readonly nullIsAbsent?: true;
}
