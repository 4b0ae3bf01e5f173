import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { lookup } from 'node:dns';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { sendOnce } from '../safe-fetch/safe-fetch.ts';
import type { McpCommand, McpSettings } from './settings.ts';

/** A way to a server, and how to leave it in good order. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Said before closing, where the server should know. */
  leave(): Promise<void>;
}

/** Makes the way to a server; nothing is started yet. */
export function openTransport(settings: McpSettings, options: ChildOptions): OpenedTransport {
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

interface ChildOptions {
  readonly grace: number;
  readonly onStderr?: ((text: string) => void) | undefined;
}

/**
 * Speaks to a server over the input and output of a process. The SDK has such a transport too, but its processes stay in
 * our own group, so that what a server started in its turn (behind `npx`, say) would outlive it.
 */
class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** That these two are there tells the SDK that silence means an old server and not a broken network. */
  readonly stderr = null;
  pid: number | null = null;

  readonly #command: McpCommand;
  readonly #options: ChildOptions;
  readonly #buffer = new ReadBuffer();
  readonly #ended = Promise.withResolvers<void>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #delivered = Promise.resolve();

  constructor(command: McpCommand, options: ChildOptions) {
    this.#command = command;
    this.#options = options;
  }

  start(): Promise<void> {
    const { command, args = [], env, cwd } = this.#command;
    const child = spawn(command, args, {
      env: childEnvironment(env),
      detached: true,
      ...(cwd !== undefined && { cwd }),
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.on('error', (error) => {
      reject(error);
      this.onerror?.(error);
    });
    child.once('spawn', () => {
      this.#child = child;
      this.pid = child.pid ?? null;
      this.#watch(child, new ProcessGroup(child.pid as number));
      resolve();
    });
    return promise;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    return promise;
  }

  /** Closes the input, which asks a server to end; then asks the process; then kills it. */
  async close(): Promise<void> {
    const child = this.#child;
    if (this.pid === null) return;
    child?.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await within(this.#ended.promise, this.#options.grace)) return;
      child?.kill(signal);
    }
    await within(this.#ended.promise, 2 * this.#options.grace);
  }

  #watch(child: ChildProcessWithoutNullStreams, group: ProcessGroup): void {
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    // Read in any case: a server must not stand still because nobody listens to its complaints.
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#options.onStderr?.(text));
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.once('exit', async () => {
      const ended = group.end(this.#options.grace);
      // Something that left the group may still hold the output; what was written is read within the time given.
      await within(drained, this.#options.grace);
      await this.#delivered;
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      this.#child = undefined;
      this.onclose?.();
      await ended;
      this.#ended.resolve();
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      // More than a message may hold: nothing after it can be told apart.
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    this.#delivered = this.#delivered.then(() => this.#deliver());
  }

  async #deliver(): Promise<void> {
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
        // The SDK looks at notifications a moment later, and an answer in the same piece must not overtake them.
        if (!('id' in message)) await nextTurn();
      } catch (error) {
        // A line that is no message is reported and left out.
        this.onerror?.(error as Error);
      }
    }
  }
}

/** Whether something was done in time. */
async function within(done: Promise<unknown>, time: number): Promise<boolean> {
  const control = new AbortController();
  const late = sleep(time, false, { signal: control.signal }).catch(() => false);
  const inTime = await Promise.race([done.then(() => true), late]);
  control.abort();
  return inTime;
}

/** What a program needs to find its way beside what the SDK passes on; none of it is a secret. */
const more = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/** The environment of a server's process: a short list of ours, and what is configured for it. Never all of ours. */
export function childEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = more.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...getDefaultEnvironment(), ...Object.fromEntries(passed), ...own };
}

const live = new Set<ProcessGroup>();
const poll = 20;

/** A process that was started `detached`, and whatever it started: ended together, at the latest with us. */
class ProcessGroup {
  readonly #leader: number;

  constructor(leader: number) {
    this.#leader = leader;
    if (live.size === 0) process.on('exit', killAll);
    live.add(this);
  }

  /** Sends a signal to all of it; false where nothing of it is left. */
  kill(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#leader, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Asks all of it to end, and kills what is left after `grace` milliseconds. */
  async end(grace: number): Promise<void> {
    this.kill('SIGTERM');
    const until = Date.now() + grace;
    while (this.kill(0) && Date.now() < until) await sleep(poll);
    this.kill('SIGKILL');
    live.delete(this);
    if (live.size === 0) process.off('exit', killAll);
  }
}

function killAll(): void {
  for (const group of live) group.kill('SIGKILL');
}

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Stands in the error that is given where a stream ended without its answer. */
export const streamLost = { code: -32000, message: 'The stream ended without an answer', data: { stream: 'lost' } };

/**
 * Speaks streamable HTTP. The SDK leaves a request open whose stream broke off and could not be taken up again; here it
 * gets an error for an answer.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message && 'id' in message) || options?.onRequestStreamEnd) {
      return super.send(message, options);
    }
    const { id } = message;
    // Where the answer came before the end, nobody waits for this one, and it is left out.
    const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: '2.0', id, error: streamLost });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

/** How long a connection may take. What comes after it has no limit of its own: a call has its deadline. */
const connect = 10_000;

/**
 * `fetch` for servers that whoever set us up has chosen. The built-in one gives up after 300 seconds without a byte, and a
 * tool may work for longer. Redirects are left to the caller.
 */
async function patientFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body } = init;
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const sending = { url: new URL(address), method, headers: new Headers(headers), body: body as string | undefined };
  return sendOnce(sending, { lookup, connect, left: Number.POSITIVE_INFINITY, signal });
}
