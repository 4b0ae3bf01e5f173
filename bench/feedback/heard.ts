import { fileURLToPath } from 'node:url';
import { serveScripted } from '../../src/provider/scripted/serve-scripted.ts';
import type { ServedTurn } from '../../src/provider/scripted/served-turn.ts';
import type { WrittenCall } from '../accuracy/contestant.ts';
import type { Heard } from './teller.ts';

/** What a framework is given for one call. */
export interface Stage {
  readonly baseUrl: string;
  readonly work: (name: string, input: unknown) => string;
}

/** A model that writes one call, and listens to what it is told of it. */
export interface ListeningModel {
  readonly play: (call: WrittenCall, run: (stage: Stage) => Promise<unknown>) => Promise<Heard>;
  readonly close: () => Promise<void>;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Some words hold a stack: where the project is on this machine must not count. */
const anywhere = (words: string): string => words.replaceAll(root, '/app/');

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

/** Starts the model; one call is played at a time. */
export async function listeningModel(): Promise<ListeningModel> {
  let turn: ServedTurn | undefined;
  const server = await serveScripted(() => {
    const next = turn ?? 'Done.';
    turn = undefined;
    return next;
  });
  return {
    close: () => server.close(),
    async play({ name, arguments: text, finishReason = 'tool_calls' }, run) {
      let ran = false;
      const before = server.requests.length;
      turn = { text: 'Let me see.', calls: [{ id: 'call_1', name, arguments: text }], finish: finishReason };
      const work = (): string => {
        ran = true;
        return 'Done.';
      };
      await run({ baseUrl: `${server.url}/v1`, work }).catch(() => undefined);
      if (ran) return { type: 'ran' };
      const { messages = [] } = (server.requests[before + 1]?.body ?? {}) as { messages?: readonly ChatMessage[] };
      const asked = messages.findIndex(({ role }) => role === 'user');
      // All that the first question did not hold, but for the model's own words.
      const words = messages
        .slice(asked + 1)
        .filter(({ role }) => role !== 'assistant')
        .map(textOf);
      return words.join('').trim() === '' ? { type: 'silent' } : { type: 'told', words: anywhere(words.join('\n')) };
    },
  };
}
