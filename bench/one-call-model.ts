import type { ServedTurn } from '../src/provider/scripted/served-turn.ts';
import { type ScriptedServer, serveScripted } from '../src/provider/scripted/server.ts';
import type { WrittenCall } from './accuracy/contestant.ts';

/** What a framework is given for one call. */
export interface Stage {
  /** The address for clients of OpenAI Chat Completions, `/v1` included. */
  readonly baseUrl: string;
  /** Does a tool's work. */
  readonly work: (name: string, input: unknown) => string;
}

/** A model that writes one call when it is next asked, and says that it is done ever after. */
export interface OneCallModel {
  readonly server: ScriptedServer;
  /** Lets a framework's own loop run against it; what the framework throws is an end too. */
  readonly play: (
    call: WrittenCall,
    run: (stage: Stage) => Promise<unknown>,
    ran: (name: string, input: unknown) => void,
  ) => Promise<void>;
}

/** Starts the model; one call is played at a time. */
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
