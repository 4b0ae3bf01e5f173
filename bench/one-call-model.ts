import type { ServedTurn } from '../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../src/provider/scripted/server.ts';
import type { WrittenCall } from './accuracy/contestant.ts';

/** The input of a framework for one call. */
export interface Stage {
  /** The address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly baseUrl: string;
  /** Runs a tool. */
  readonly work: (name: string, input: unknown) => string;
}

/** A model that writes one call on the next request, and ends on all later ones. */
export interface OneCallModel {
  readonly server: ScriptedServer;
  /** Runs a framework's own loop against it. An error of the framework ends it too. */
  readonly play: (
    call: WrittenCall,
    run: (stage: Stage) => Promise<unknown>,
    ran: (name: string, input: unknown) => void,
  ) => Promise<void>;
}

/** Starts the model. It plays one call at a time. */
export async function oneCallModel(): Promise<OneCallModel> {
  let turn: ServedTurn | undefined;
  const server = await serveScripted(() => {
    const next = turn ?? 'Done.';
    turn = undefined;
    return next;
  });
  return {
    server,
    async play({ name, arguments: text, finishReason = 'tool_calls' }, run, ran) {
      turn = { text: 'Let me see.', calls: [{ id: 'call_1', name, arguments: text }], finish: finishReason };
      const work = (called: string, input: unknown): string => {
        ran(called, input);
        return 'Done.';
      };
      await run({ baseUrl: `${server.url}/v1`, work }).catch(() => undefined);
    },
  };
}
