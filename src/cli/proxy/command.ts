import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isObject } from '../../json/value.ts';
import { startRetention } from '../../log/forget-old.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { redactor } from '../../log/redact/redact.ts';
import { harmless, harmlessJson } from '../../log/shown/visible.ts';
import type { Store } from '../../log/store.ts';
import { exampleOf } from '../../mend/feedback/example.ts';
import type { ModelRequest } from '../../model/index.ts';
import type { Script } from '../../provider/scripted/script.ts';
import type { ProxyConfig } from '../../proxy/config/config.ts';
import { type DetectedUpstream, upstreamsOf } from '../../proxy/config/upstreams.ts';
import { logJson, logText } from '../../proxy/observe/access-log.ts';
import { type Metrics, metrics } from '../../proxy/observe/metrics.ts';
import type { RequestRecord } from '../../proxy/observe/request-record.ts';
import { keepResponses, type ResponseHistory } from '../../proxy/observe/response-history.ts';
import { recordResponses } from '../../proxy/observe/run-log.ts';
import { traceRequests } from '../../proxy/observe/tracing.ts';
import { createProxy, type RunningProxy } from '../../proxy/server.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { openStore } from '../run/open-store.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { checkSettings, defaultPort, keysOf, shownUrl } from './check.ts';
import { proxyFlags, settingsOf } from './config.ts';

/** `toolmend proxy`: listens until it is stopped. */
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
        ? write(harmlessJson({ time: new Date().toISOString(), [kind]: line }))
        : terminal.errors.write(`${harmless(line)}\n`);

  const settings = settingsOf(values, env);
  if (values.check) {
    for (const line of await checkSettings(settings, { json, file: values.config })) write(line);
    return 0;
  }
  const practice = settings.upstreams ? undefined : await servePractice();
  const config: ProxyConfig = { ...settings, upstreams: settings.upstreams ?? practice?.upstreams ?? {} };
  const inspect = values['no-inspector'] ? undefined : (config.token ?? randomBytes(18).toString('base64url'));
  const guarded = config.token !== undefined || inspect !== undefined;
  const watch = await watchRequests(config, { json, env, write, complain: say('error'), guarded });
  try {
    const { upstreams, found } = await upstreamsOf(config);
    refuseSilence(found);
    const { log: _, models: __, $schema: ___, keys: named, ...listen } = config;
    const keys = keysOf(named);
    const { metrics, store, history, onRequest } = watch;
    const watched = {
      metrics,
      store,
      ...(history && { history }),
      onRequest,
      onNotice: say('notice'),
      ...(inspect !== undefined && { inspect: { token: inspect } }),
    };
    const proxy = await listening({ ...listen, port: config.port ?? defaultPort, upstreams, keys, ...watched });
    // Doesn't print the user's own token.
    const page = inspect && `${proxy.url}/inspector/${config.token === undefined ? `?token=${inspect}` : ''}`;
    for (const line of greeting(proxy, found, { json, page, practice: practice !== undefined })) write(line);
    const reload = (): unknown =>
      reloadFrom(values, env, proxy).then(say('notice'), (error) => say('error')(unchanged(error)));
    process.on('SIGHUP', reload);
    await untilStopped(terminal, proxy, say('notice'));
    process.off('SIGHUP', reload);
    return 0;
  } finally {
    await practice?.close();
    await watch.close();
  }
}

async function servePractice(): Promise<{ upstreams: ProxyConfig['upstreams']; close: () => Promise<void> }> {
  const { serveScripted } = await import('../../provider/scripted/server.ts');
  const { url, close } = await serveScripted(practiceScript);
  const format = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const;
  return { upstreams: { scripted: { url, format } }, close };
}

function refuseSilence(found: readonly DetectedUpstream[]): void {
  const [silent] = found;
  if (silent && found.every(({ formats }) => formats.length === 0))
    throw new UsageError(`${silent.why}. Start the server, or set its API format with --format`);
}

/** Reads the upstreams, models and keys of the configuration file again. All other settings need a restart. */
async function reloadFrom(
  values: Parameters<typeof settingsOf>[0],
  env: NodeJS.ProcessEnv,
  proxy: RunningProxy,
): Promise<string> {
  const { upstreams: named, models, keys } = settingsOf(values, env);
  if (values.config === undefined || !named) return 'There is no configuration file to reload';
  const { upstreams } = await upstreamsOf({ upstreams: named, ...(models && { models }) });
  await proxy.reload(upstreams, keysOf(keys));
  return `Reloaded the upstreams, models and keys of ${values.config}`;
}

const unchanged = (error: unknown): string =>
  `The configuration was not reloaded: ${error instanceof Error ? error.message : String(error)}`;

async function listening(options: Parameters<typeof createProxy>[0]): Promise<RunningProxy> {
  try {
    return await createProxy(options).listen();
  } catch (error) {
    if (ConfigurationValidationError.isInstance(error)) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    const { port, host = '127.0.0.1' } = options;
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} is already in use, perhaps by another toolmend proxy. Choose another with --port`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`Invalid --host '${host}': not an address of this machine`);
    if (code === 'EACCES') throw new UsageError(`No permission to use port ${port}. Choose one above 1023 with --port`);
    throw error;
  }
}

function greeting(
  { url, port }: RunningProxy,
  found: readonly DetectedUpstream[],
  { json, practice, page }: { readonly json: boolean; readonly practice: boolean; readonly page: string | undefined },
): string[] {
  if (json) {
    const upstreams = found.map(({ name, url: at, formats, why }) => ({ name, url: shownUrl(at), formats, why }));
    return [JSON.stringify({ time: new Date().toISOString(), listening: url, port, upstreams })];
  }
  const asked = found.map(
    ({ name, url: at, formats, why }) =>
      `  ${name}: ${shownUrl(at)} (${formats.length > 0 ? `${formats.join(', ')}; ` : ''}${why})`,
  );
  const look = page === undefined ? [] : [`  Inspector: ${page}`];
  return [`toolmend proxy listens at ${url}`, ...(practice ? [tryIt(url)] : asked), ...look];
}

const tryIt = (url: string): string => `  A scripted model responds. Try it:
  curl ${url}/v1/chat/completions -d '{"model": "any", "messages": [{"role": "user", "content": "Hi"}],
    "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path", "limit"]}}}]}'`;

export const proxyHelp = `Usage: toolmend proxy [OPTIONS] [--upstream URL]

An HTTP proxy between an API client and its model server. Mends the tool calls in
every response. Set the base URL of your client to the proxy's address. Without
--upstream, a scripted model responds, so that you can try the proxy with curl.

Options:
  --upstream URL      address of the model server, such as http://127.0.0.1:11434 or
                      https://api.openai.com/v1
  --format NAME       API format of the server: openai, anthropic, gemini or ollama
                      (default: detected)
  --dialect NAME      how the models write calls as text: auto, native, or a name
                      from 'toolmend decode --list' (default: auto)
  --num-ctx N         context size to request from Ollama, with --format ollama
  --port N            port to listen on (default: 17645)
  --host ADDRESS      address to listen on; needs --token if other machines can
                      reach it (default: 127.0.0.1)
  --token VARIABLE    environment variable with the token that clients must send as
                      their API key
  --live              change nothing, and report what would be mended
  --stream-arguments  forward arguments before they are complete; clients may then
                      complete and run a truncated call (default: buffered)
  --retries N         send calls that can't be mended back to the model, up to N
                      times (default: 0)
  --config FILE       JSON configuration with upstreams, models, keys and limits; may
                      have comments and trailing commas
  --check             validate the configuration, print what would run, and exit
  --log FILE          record names, repairs and problems of calls in a SQLite file,
                      or in Postgres (postgres://…)
  --log-content FILE  also record messages and arguments, with secrets redacted
  --keep-days N       delete recorded responses older than N days
  --no-inspector      turn the inspector off
  --json              write one JSON line for each request
  -h, --help          show this help

GET /healthz returns the status, /readyz whether an upstream is usable, and
/metrics the metrics for Prometheus. The inspector shows the last 200 responses,
or those in the log, on a web page. The proxy prints the address of the page.
/toolmend/runs returns the same responses as JSON.

On SIGTERM or Ctrl-C, requests in progress can finish. A second signal stops the
proxy at once. On SIGHUP, the proxy reloads upstreams, models and keys from the
configuration file.

Exit codes: 0 stopped or valid, 2 usage error or invalid configuration.
`;

const hello =
  'I am a scripted model. Send me tools: I call the first one with damaged arguments, and the proxy mends the call.';

/** A model to try the proxy with: it calls the first tool, badly written, and then ends. */
export const practiceScript: Script = ({ tools = [], messages }: ModelRequest) => {
  const [tool] = tools.filter((one) => one.type === 'function');
  const answered = messages.at(-1)?.parts.some(({ type }) => type === 'result');
  if (!tool) return hello;
  if (answered) return 'Thank you, that is what I wanted to know.';
  return { text: 'Let me look.', calls: [{ name: tool.name, arguments: badly(exampleOf(tool.schema ?? true)) }] };
};

/** An object as models write it: bare keys, single quotes, numbers in quotes, a trailing comma. */
function badly(value: unknown): string {
  if (!isObject(value)) return '{}';
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${word(one)},`);
  return `{${fields.join(' ')}}`;
}

function word(value: unknown): string {
  if (typeof value === 'number') return `"${value}"`;
  if (typeof value === 'string' && !/['"\\\n]/.test(value)) return `'${value.replace(/^<(.*)>/, '($1)')}'`;
  return JSON.stringify(value);
}

/** Everything that observes a proxy. */
export interface Watch {
  readonly metrics: Metrics;
  readonly store: Store;
  /** Conversations for `previous_response_id`, if they are stored. */
  readonly history: ResponseHistory | undefined;
  readonly onRequest: (seen: RequestRecord) => void;
  close(): Promise<void>;
}

const inMemory = 200;

/** Sets up the log lines, metrics, traces and store of a proxy. */
export async function watchRequests(
  {
    log = {},
    token,
    keys: clients = {},
    upstreams,
  }: Pick<ProxyConfig, 'log' | 'token' | 'keys'> & Partial<Pick<ProxyConfig, 'upstreams'>>,
  { json, env, write, complain, guarded }: WatchOptions,
): Promise<Watch> {
  const { file, content = false, responses = false, keepDays } = log;
  const keys = Object.values(upstreams ?? {}).flatMap(({ headers = {} }) => Object.values(headers));
  const secrets = [...keys, ...Object.values(clients).map(({ key }) => key), ...(token === undefined ? [] : [token])];
  const redact = redactor({ env, values: secrets });
  const store = file === undefined ? memoryStore() : await openStore(file);
  const record = recordResponses(store, {
    // Responses in memory are only shown with the token that was printed.
    ...(file === undefined ? { content: guarded, last: inMemory } : { content }),
    redact,
    onError: complain,
  });
  const figures = metrics();
  const trace = traceRequests();
  const stopForgetting = keepDays === undefined ? () => {} : startRetention(store, keepDays, complain);
  return {
    metrics: figures,
    store,
    history: responses ? keepResponses(store, { redact, ...(file === undefined && { last: inMemory }) }) : undefined,
    onRequest: (seen) => {
      write(redact(json ? logJson(seen) : logText(seen)));
      figures.see(seen);
      trace(seen);
      record(seen);
    },
    close: async () => {
      stopForgetting();
      await store.close();
    },
  };
}

interface WatchOptions {
  /** Whether recorded responses require a token. */
  readonly guarded: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (line: string) => void;
  readonly complain: (line: string) => void;
}
