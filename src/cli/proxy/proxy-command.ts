import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type RunningProxy, startProxy } from '../../proxy/proxy.ts';
import type { ProxyConfig } from '../../proxy/proxy-config.ts';
import { type FoundUpstream, upstreamsOf } from '../../proxy/upstreams-of.ts';
import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';
import { UsageError } from '../usage-error.ts';
import { practiceScript } from './practice-script.ts';
import { proxyFlags } from './proxy-flags.ts';
import { proxyHelp } from './proxy-help.ts';
import { settingsOf } from './settings-of.ts';
import { watchRequests } from './watch-requests.ts';

const defaultPort = 17645;

/** `toolmend proxy`: listens until it is told to stop. */
export async function proxyCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: proxyFlags });
  if (values.help) {
    terminal.output.write(proxyHelp);
    return 0;
  }
  const { env } = terminal;
  const json = values.json === true;
  const write = (line: string): unknown => terminal.output.write(`${line}\n`);
  const say =
    (kind: 'notice' | 'error') =>
    (line: string): unknown =>
      json
        ? write(JSON.stringify({ time: new Date().toISOString(), [kind]: line }))
        : terminal.errors.write(`${line}\n`);

  const settings = settingsOf(values, env);
  const practice = settings.upstreams ? undefined : await servePractice();
  const config: ProxyConfig = { ...settings, upstreams: settings.upstreams ?? practice?.upstreams ?? {} };
  const inspect = values['no-inspector'] ? undefined : (config.token ?? randomBytes(18).toString('base64url'));
  const guarded = config.token !== undefined || inspect !== undefined;
  const watch = await watchRequests(config, { json, env, write, complain: say('error'), guarded });
  try {
    const { upstreams, found } = await upstreamsOf(config);
    refuseSilence(found);
    const { log: _, models: __, $schema: ___, ...listen } = config;
    const { metrics, store, onRequest } = watch;
    const watched = {
      metrics,
      store,
      onRequest,
      onNotice: say('notice'),
      ...(inspect !== undefined && { inspect: { token: inspect } }),
    };
    const proxy = await listening({ ...listen, port: config.port ?? defaultPort, upstreams, ...watched });
    // A token of the user's own is known to them, and belongs in no terminal.
    const page = inspect && `${proxy.url}/inspector/${config.token === undefined ? `?token=${inspect}` : ''}`;
    for (const line of greeting(proxy, found, { json, page, practice: practice !== undefined })) write(line);
    await untilStopped(terminal, proxy, say('notice'));
    return 0;
  } finally {
    await practice?.close();
    await watch.close();
  }
}

async function servePractice(): Promise<{ upstreams: ProxyConfig['upstreams']; close: () => Promise<void> }> {
  const { serveScripted } = await import('../../provider/scripted/serve-scripted.ts');
  const { url, close } = await serveScripted(practiceScript);
  const format = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const;
  return { upstreams: { scripted: { url, format } }, close };
}

function refuseSilence(found: readonly FoundUpstream[]): void {
  const silent = found.find(({ formats }) => formats.length === 0);
  if (silent) throw new UsageError(`${silent.why}; start the server, or say what it speaks with --format`);
}

async function listening(options: Parameters<typeof startProxy>[0]): Promise<RunningProxy> {
  try {
    return await startProxy(options);
  } catch (error) {
    if (ConfigurationValidationError.isInstance(error)) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    const { port, host = '127.0.0.1' } = options;
    if (code === 'EADDRINUSE')
      throw new UsageError(`port ${port} is taken, perhaps by another toolmend proxy; choose another with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new UsageError(`${host} is no address of this machine`);
    if (code === 'EACCES') throw new UsageError(`port ${port} may not be used; choose one above 1023 with --port`);
    throw error;
  }
}

function greeting(
  { url, port }: RunningProxy,
  found: readonly FoundUpstream[],
  { json, practice, page }: { readonly json: boolean; readonly practice: boolean; readonly page: string | undefined },
): string[] {
  if (json) {
    const upstreams = found.map(({ name, url: at, formats, why }) => ({ name, url: origin(at), formats, why }));
    return [JSON.stringify({ time: new Date().toISOString(), listening: url, port, upstreams })];
  }
  const asked = found.map(
    ({ name, url: at, formats, why }) => `  ${name}: ${origin(at)} (${formats.join(', ')}; ${why})`,
  );
  const look = page === undefined ? [] : [`  See what passes: ${page}`];
  return [`toolmend proxy listens at ${url}`, ...(practice ? [tryIt(url)] : asked), ...look];
}

/** An address may hold a name, a password or a key. */
const origin = (url: string): string => `${new URL(url).origin}${new URL(url).pathname}`;

const tryIt = (url: string): string => `  A script plays the model. Try it:
  curl ${url}/v1/chat/completions -d '{"model": "any", "messages": [{"role": "user", "content": "Hi"}],
    "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path", "limit"]}}}]}'`;
