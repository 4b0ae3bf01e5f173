import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { Format } from '../src/model/index.ts';

/** Decodes the bytes of a response with the AI SDK's provider, and reads all of its events. */
export type Peer = (chunks: readonly Uint8Array[]) => Promise<unknown>;

type Served = NonNullable<Parameters<typeof createOpenAI>[0]>['fetch'];

/** A fetch that returns these bytes for every request. */
const serving =
  (chunks: readonly Uint8Array[]): NonNullable<Served> =>
  async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );

const question = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }] };

async function drain(
  stream: ReadableStream<{ readonly type: string; readonly error?: unknown }>,
): Promise<string | undefined> {
  let last: string | undefined;
  for await (const { type, error } of stream) {
    if (type === 'error') throw error;
    last = type;
  }
  return last;
}

/** The AI SDK's providers, for the wires it has. */
export const peers: Readonly<Partial<Record<Format, Peer>>> = {
  'openai-chat': async (chunks) =>
    drain(
      (
        await createOpenAI({ apiKey: 'none', fetch: serving(chunks) })
          .chat('m')
          .doStream(question)
      ).stream,
    ),
  'openai-responses': async (chunks) =>
    drain(
      (
        await createOpenAI({ apiKey: 'none', fetch: serving(chunks) })
          .responses('m')
          .doStream(question)
      ).stream,
    ),
  anthropic: async (chunks) =>
    drain((await createAnthropic({ apiKey: 'none', fetch: serving(chunks) })('m').doStream(question)).stream),
};
