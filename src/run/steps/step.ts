import type { CallRecord } from '../../log/state.ts';
import type { Message, Model, ToolChoice, Usage } from '../../model/index.ts';

/** A step that is about to start: the next request to the model. */
export interface Step {
  /** Id of the run. */
  readonly run: string;
  /** Number of the step in the run, from 1. */
  readonly step: number;
  /** The conversation, without the instructions. */
  readonly messages: readonly Message[];
  /** All calls of the run, with their results. */
  readonly calls: readonly CallRecord[];
  /** Tokens that the run has used. */
  readonly usage: Usage;
  /** What they cost, if the agent has `prices`. */
  readonly cost: number | undefined;
  /** The agent's model. */
  readonly model: Model;
  /** Names of the agent's tools. */
  readonly tools: readonly string[];
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
}

/** What to change in a step. It applies to this step only. */
export interface PreparedStep {
  readonly model?: Model;
  readonly instructions?: string;
  /** The messages to send. The log keeps the complete conversation. */
  readonly messages?: readonly Message[];
  /** Names of the tools to offer. Calls to other tools are refused. */
  readonly activeTools?: readonly string[];
  readonly toolChoice?: ToolChoice;
  /** Settings to send in addition to the agent's. */
  readonly modelSettings?: Readonly<Record<string, unknown>>;
  /** Ends the run as `stopped`, with this explanation. */
  readonly stop?: string | true;
}

/** Called before each request to the model. Returns what to change, if anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
export type PrepareStep = (step: Step) => PreparedStep | void | Promise<PreparedStep | void>;
