/** A model of the AI SDK that plays turns, for the tests of one file; its server ends with each test. */
import { createOpenAI } from '@ai-sdk/openai';
import type { wrapLanguageModel } from 'ai';
import { afterEach } from 'vitest';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';

let server: ScriptedServer | undefined;

/** Ends the server of the last model. */
export async function closeModel(): Promise<void> {
  await server?.close();
  server = undefined;
}
afterEach(closeModel);

/** A model as the SDK wraps one. */
export type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A turn of one call. */
export const call = (name: string, given: string): ScriptedTurn => ({ calls: [{ name, arguments: given }] });

/** A model that plays these turns. */
export async function modelThat(...turns: (ScriptedTurn | string)[]): Promise<Exclude<Wrapped, string>> {
  server = await serveScripted(turns);
  return createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).chat('scripted');
}

/** What the model was asked last. */
export const asked = () => server?.requests.at(-1)?.question;

/** What the model was told of its last calls. */
export const told = (): string => {
  const parts = asked()?.messages.at(-1)?.parts ?? [];
  return parts
    .flatMap((part) => (part.type === 'result' ? part.content : []))
    .map((one) => ('text' in one ? one.text : ''))
    .join('\n');
};
