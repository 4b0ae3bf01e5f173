import { oneCallModel, type Stage } from '../one-call-model.ts';
import type { ToolRun, WrittenCall } from './contestant.ts';

/** A model that writes one call and then says that it is done. */
export interface ScriptedModel {
  /** Lets a framework's own loop run against it; what the framework throws is an end too. */
  readonly play: (call: WrittenCall, run: (stage: Stage) => Promise<unknown>) => Promise<readonly ToolRun[]>;
  readonly close: () => Promise<void>;
}

/** How often a model is asked: for the call, and for what it says to its result. */
export const steps = 2;

/** Starts the model; one call is played at a time. */
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
