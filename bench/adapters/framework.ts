import type { Definition } from '../../test/damage/definition.ts';

/** One run of a framework's agent against a scripted server. */
export interface AgentRun {
  /** The server's address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly baseUrl: string;
  /** The model's name, by which the server knows what to play. */
  readonly model: string;
  readonly tools: readonly Definition[];
  /** Does a tool's work; gives what the tool returns. */
  readonly work: (name: string, input: unknown) => string;
  /** Whether the adapter is used. */
  readonly adapted: boolean;
  /** How often the model may be asked. */
  readonly steps: number;
}

/** A framework in the table: how its agent runs, and the page its figures stand on. */
export interface Framework {
  readonly name: string;
  readonly page: string;
  /** Runs to its end, whatever that is. What it throws counts as an end too. */
  run(run: AgentRun): Promise<void>;
}
