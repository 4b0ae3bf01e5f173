import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { childEnvironment } from './child-environment.ts';
import { type ChildOptions, ChildTransport } from './child-transport.ts';
import { HttpTransport } from './http-transport.ts';
import { patientFetch } from './patient-fetch.ts';
import type { McpSettings } from './settings.ts';

/** A way to a server, and how to leave it in good order. */
export interface Way {
  readonly transport: Transport;
  /** Said before closing, where the server should know. */
  leave(): Promise<void>;
}

/** Makes the way to a server; nothing is started yet. */
export function openTransport(settings: McpSettings, options: ChildOptions): Way {
  const nothing = async (): Promise<void> => {};
  if ('url' in settings) {
    const { url, headers } = settings;
    const transport = new HttpTransport(new URL(url), {
      fetch: patientFetch,
      ...(headers && { requestInit: { headers: { ...headers } } }),
    });
    return { transport, leave: () => transport.terminateSession() };
  }
  // Windows has no process groups, and the SDK knows how commands are found there.
  if (process.platform === 'win32') {
    const { command, args = [], env, cwd } = settings;
    const where = cwd === undefined ? {} : { cwd };
    const child = { command, args: [...args], env: childEnvironment(env), stderr: 'ignore' as const, ...where };
    return { transport: new StdioClientTransport(child), leave: nothing };
  }
  return { transport: new ChildTransport(settings, options), leave: nothing };
}
