import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { lookup } from 'node:dns';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isObject } from '../../json/value.ts';
import { sendOnce } from '../safe-fetch/safe-fetch.ts';
import { LineBuffer } from './line-buffer.ts';
import type { McpCommand, McpSettings } from './settings.ts';

/** A transport, and how to disconnect properly. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Called before closing, to notify the server. */
  leave(): Promise<void>;
}

/** Creates a transport without starting it. */
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
  // Windows has no process groups, and the SDK handles its command lookup.
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
 * A transport over the stdio of a child process. The SDK's own transport keeps the process in our group, so that its
 * child processes (of `npx`, for example) would outlive it.
 */
class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** With these two fields, the SDK treats a timeout as an older server instead of a network failure. */
  readonly stderr = null;
  pid: number | null = null;

  readonly #command: McpCommand;
  readonly #options: ChildOptions;
  readonly #buffer = new LineBuffer(withObjectResult);
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

  /** Closes stdin, which asks a server to exit; then sends SIGTERM, then SIGKILL. */
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
    // Always read, so that a full pipe can't block the server.
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#options.onStderr?.(text));
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.once('exit', async () => {
      const ended = group.end(this.#options.grace);
      // A process that left the group may keep the output open, so reading is limited by the grace period.
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
      // A message that is too long: later messages can't be separated anymore.
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
        // The SDK handles notifications asynchronously, and a response in the same chunk must not overtake them.
        if (!('id' in message)) await nextTurn();
      } catch (error) {
        // Invalid lines are reported and skipped.
        this.onerror?.(error as Error);
      }
    }
  }
}

const otherResult = /"result"\s*:\s*[^\s{]/;

/** Replaces a result that isn't an object by an error, because the SDK drops it and the request would stay open. */
function withObjectResult(line: string): string {
  if (!otherResult.test(line)) return line;
  try {
    const { id, result } = JSON.parse(line);
    if (id === undefined || result === undefined || isObject(result)) return line;
    const error = { code: -32603, message: 'The server sent a result that is not an object' };
    return JSON.stringify({ jsonrpc: '2.0', id, error });
  } catch {
    // The SDK skips it.
    return line;
  }
}

/** Whether a promise resolves in time. */
async function within(done: Promise<unknown>, time: number): Promise<boolean> {
  const control = new AbortController();
  const late = sleep(time, false, { signal: control.signal }).catch(() => false);
  const inTime = await Promise.race([done.then(() => true), late]);
  control.abort();
  return inTime;
}

/** Harmless variables that programs need, besides those that the SDK passes on. */
const more = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/** The environment of a server's process: a few of our variables, and the configured ones. */
export function childEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = more.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...getDefaultEnvironment(), ...Object.fromEntries(passed), ...own };
}

const live = new Set<ProcessGroup>();
const poll = 20;

/** A `detached` process and its child processes, which end together, at the latest with our process. */
class ProcessGroup {
  readonly #leader: number;

  constructor(leader: number) {
    this.#leader = leader;
    if (live.size === 0) process.on('exit', killAll);
    live.add(this);
  }

  /** Sends a signal to the group. Returns false if no process is left. */
  kill(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#leader, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Sends SIGTERM to the group, and SIGKILL after `grace` milliseconds. */
  async end(grace: number): Promise<void> {
    this.kill('SIGTERM');
    const until = performance.now() + grace;
    while (this.kill(0) && performance.now() < until) await sleep(poll);
    this.kill('SIGKILL');
    live.delete(this);
    if (live.size === 0) process.off('exit', killAll);
  }
}

function killAll(): void {
  for (const group of live) group.kill('SIGKILL');
}

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The error for a stream that ended without a response. */
export const streamLost = { code: -32000, message: 'The stream ended without a response', data: { stream: 'lost' } };

/**
 * A streamable HTTP transport. The SDK leaves requests pending if their stream broke off and couldn't be resumed; here
 * they get an error.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message && 'id' in message) || options?.onRequestStreamEnd) {
      return super.send(message, options);
    }
    const { id } = message;
    // Ignored if the response arrived before the end of the stream.
    const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: '2.0', id, error: streamLost });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

/** Connect timeout. Nothing else is limited, because calls have their own timeout. */
const connect = 10_000;

/**
 * `fetch` for configured servers, without the built-in timeout of 300 seconds, which is too short for some tools.
 * Doesn't follow redirects.
 */
async function patientFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body } = init;
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const sending = { url: new URL(address), method, headers: new Headers(headers), body: body as string | undefined };
  return sendOnce(sending, { lookup, connect, left: Number.POSITIVE_INFINITY, signal });
}
