import { fileURLToPath } from 'node:url';
import type { WrittenCall } from '../accuracy/contestant.ts';
import { oneCallModel, type Stage } from '../one-call-model.ts';
import type { Heard } from './teller.ts';

/** A model that writes one call, and records the feedback. */
export interface ListeningModel {
  readonly play: (call: WrittenCall, run: (stage: Stage) => Promise<unknown>) => Promise<Heard>;
  readonly close: () => Promise<void>;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Some messages contain a stack. The project's path on this machine must not count. */
const anywhere = (words: string): string => words.replaceAll(root, '/app/');

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

/** Starts the model. It plays one call at a time. */
export async function listeningModel(): Promise<ListeningModel> {
  const { server, play } = await oneCallModel();
  return {
    close: () => server.close(),
    async play(call, run) {
      let ran = false;
      const before = server.requests.length;
      await play(call, run, () => {
        ran = true;
      });
      if (ran) return { type: 'ran' };
      const { messages = [] } = (server.requests[before + 1]?.body ?? {}) as { messages?: readonly ChatMessage[] };
      const asked = messages.findIndex(({ role }) => role === 'user');
      // Everything that the first request did not contain, except the model's own messages.
      const words = messages
        .slice(asked + 1)
        .filter(({ role }) => role !== 'assistant')
        .map(textOf);
      return words.join('').trim() === '' ? { type: 'silent' } : { type: 'told', words: anywhere(words.join('\n')) };
    },
  };
}
