import { oneCallModel, type Stage } from '../one-call-model.ts';
import type { ToolRun, WrittenCall } from './contestant.ts';

/** A model that writes one call and then ends. */
export interface ScriptedModel {
  /** Runs a framework's own loop against it. An error of the framework ends it too. */
  readonly play: (call: WrittenCall, run: (stage: Stage) => Promise<unknown>) => Promise<readonly ToolRun[]>;
  readonly close: () => Promise<void>;
}

/** The number of model requests: for the call, and after its result. */
export const steps = 2;

/** Starts the model. It plays one call at a time. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const { server, play } = await oneCallModel();
  return {
    close: () => server.close(),
    async play(call, run) {
      const ran: ToolRun[] = [];
      await play(call, run, (name, input) => ran.push({ name, input: structuredClone(input) }));
      return ran;
    },
  };
}
