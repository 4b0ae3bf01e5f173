import type { Model } from '../../src/model/index.ts';
import type { ClientOptions } from '../../src/provider/client/options.ts';
import { anthropic, gemini, ollama, openai } from '../../src/provider/client/providers.ts';
import type { Script, ServedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';

/** Every client, by the wire it speaks, with the path that is set for it below a server's address. */
export const clients: Readonly<Record<string, (options: ClientOptions & { baseURL: string }) => Model>> = {
  'openai-chat': (options) => openai({ ...options, baseURL: `${options.baseURL}/v1` }),
  'openai-responses': (options) => openai({ ...options, api: 'responses', baseURL: `${options.baseURL}/v1` }),
  anthropic,
  gemini,
  ollama,
};

/** A key that must be found nowhere but in a header. */
export const canary = 'sk-canary-3f9a2b7c';

/** A client that talks to a scripted server, and is quick to ask again. */
export const clientFor = (wire: string, { url }: ScriptedServer, more: Partial<ClientOptions> = {}): Model =>
  (clients[wire] as (typeof clients)[string])({
    model: 'm',
    baseURL: url,
    apiKey: canary,
    retry: { base: 1, longest: 1000 },
    ...more,
  });

const servers: ScriptedServer[] = [];

/** Serves a script until `closeServers` is called, after each test. */
export async function serving(script: Script<ServedTurn>): Promise<ScriptedServer> {
  const server = await serveScripted(script);
  servers.push(server);
  return server;
}

export async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}
