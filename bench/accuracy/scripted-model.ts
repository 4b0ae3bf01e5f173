import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/serve-scripted.ts';
import type { ServedTurn } from '../../src/provider/scripted/served-turn.ts';
import type { ToolRun, WrittenCall } from './contestant.ts';

/** What a framework is given for one call. */
export interface Stage {
  /** The address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly baseUrl: string;
  /** Does a tool's work. */
  readonly work: (name: string, input: unknown) => string;
}

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
  let turn: ServedTurn | undefined;
  const server: ScriptedServer = await serveScripted(() => {
    const next = turn ?? 'Done.';
    turn = undefined;
    return next;
  });
  return {
    close: () => server.close(),
    async play({ name, arguments: text, finishReason = 'tool_calls' }, run) {
      const ran: ToolRun[] = [];
      turn = { text: 'Let me see.', calls: [{ id: 'call_1', name, arguments: text }], finish: finishReason };
      const work = (called: string, input: unknown): string => {
        ran.push({ name: called, input: structuredClone(input) });
        return 'Done.';
      };
      await run({ baseUrl: `${server.url}/v1`, work }).catch(() => undefined);
      return ran;
    },
  };
}
