import type { Definition } from '../../test/damage/definition.ts';

/** One run of a framework's agent against a scripted server. */
export interface AgentRun {
  /** The server's address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly baseUrl: string;
  /** The model's name, which tells the server what to play. */
  readonly model: string;
  readonly tools: readonly Definition[];
  /** Runs a tool and returns its result. */
  readonly work: (name: string, input: unknown) => string;
  /** Whether the adapter is used. */
  readonly adapted: boolean;
  /** The maximum number of model requests. */
  readonly steps: number;
}

/** A framework in the table: how its agent runs, and the page with its figures. */
export interface Framework {
  readonly name: string;
  readonly page: string;
  /** Runs until it ends. An error ends it too. */
  run(run: AgentRun): Promise<void>;
}
