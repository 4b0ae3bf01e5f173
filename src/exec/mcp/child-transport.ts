import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { childEnvironment } from './child-environment.ts';
import { ProcessGroup } from './process-group.ts';
import type { McpCommand } from './settings.ts';

export interface ChildOptions {
  readonly grace: number;
  readonly onStderr?: ((text: string) => void) | undefined;
}

/**
 * Speaks to a server over the input and output of a process. The SDK has such a transport too, but its processes stay in
 * our own group, so that what a server started in its turn (behind `npx`, say) would outlive it.
 */
export class ChildTransport implements Transport {
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
