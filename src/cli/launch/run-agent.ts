import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentSettings } from './agents.ts';
import type { Invocation } from './find-program.ts';
import { tryTo } from './session-log.ts';

/** Signals that a user or a service manager sends to a program. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** A terminal sends these to all its programs itself. A second one would end agents that ask before they exit. */
const fromTerminal: readonly string[] = ['SIGINT', 'SIGQUIT'];

/** Options of an agent's process. */
export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Whether the agent shares a terminal with this process. */
  readonly hasTerminal: boolean;
}

/**
 * Runs an agent on the streams of this process until it exits, and forwards signals to it. Returns its exit code, or
 * 128 and the number of the signal that ended it.
 *
 * @throws the error of the system if the program can't be started
 */
export function runAgent({ file, args, verbatim }: Invocation, { env, hasTerminal }: RunOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env, windowsVerbatimArguments: verbatim });
    const listeners = forwarded.map((signal) => {
      const forward = (): void => {
        if (!hasTerminal || !fromTerminal.includes(signal)) child.kill(signal);
      };
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    const release = child.pid === undefined ? () => {} : endWithUs(child.pid);
    const settle = (): void => {
      release();
      for (const off of listeners) off();
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * Waits for a line. If its input ends without one, asks a process to exit. The second signal is for agents that ignore
 * the first.
 */
const watching = 'read -r line || { kill -HUP "$1"; sleep 2; kill -TERM "$1"; } 2>/dev/null';

/**
 * Ends an agent if this process is killed and can't do so itself: without the proxy, every request of the agent fails. A
 * shell waits for that, whose input the system closes then. Windows has no such shell.
 *
 * @returns a function to call once the agent has exited
 */
function endWithUs(agent: number): () => void {
  if (process.platform === 'win32') return () => {};
  // In a session of its own, so that signals for the terminal's programs don't reach it.
  const watch = spawn('/bin/sh', ['-c', watching, 'sh', String(agent)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  watch.unref();
  watch.on('error', () => {});
  watch.stdin?.on('error', () => {});
  return () => watch.stdin?.end('exited\n');
}

/** Writes the files of a session, and links to what the agent has in the user's folder. */
export function writeSettings(folder: string, { files, home }: AgentSettings): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  if (!home || !existsSync(home.from)) return;
  for (const name of readdirSync(home.from)) {
    const link = join(folder, home.to, name);
    // Windows allows links to folders only.
    if (!existsSync(link)) tryTo(() => symlinkSync(join(home.from, name), link, 'junction'));
  }
}

/**
 * Puts what the agent has created or replaced in the session's folder, such as its history, where it would be without a
 * session. The files of the session aren't among it. Files since the start of the session name the user's folder then.
 */
export function keepCreated(folder: string, { files, home }: AgentSettings, since: number): void {
  const place = home && join(folder, home.to);
  if (!home || !place || !existsSync(place)) return;
  // On macOS, temporary folders are behind a link.
  const names = [...new Set([place, realpathSync(place)])];
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isSymbolicLink() || Object.keys(files).some((file) => join(file) === join(home.to, name))) continue;
    tryTo(() => cpSync(join(place, name), join(home.from, name), { recursive: true, preserveTimestamps: true }));
  }
  tryTo(() => renameIn(home.from, names, since));
}

/** Chats are far smaller. */
const mostBytes = 16 * 1024 * 1024;

/** Replaces names of a folder in files that were written since then: a continued chat must not lead to a deleted folder. */
function renameIn(folder: string, names: readonly string[], since: number): void {
  const bytes = (text: string): string => Buffer.from(text).toString('latin1');
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const pairs = names.flatMap((name) => [
    [bytes(inJson(name)), bytes(inJson(folder))] as const,
    [bytes(name), bytes(folder)] as const,
  ]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const { mtimeMs, size } = statSync(file);
    if (mtimeMs < since || size > mostBytes) continue;
    const text = readFileSync(file, 'latin1');
    const renamed = pairs.reduce((all, [from, to]) => all.replaceAll(from, () => to), text);
    if (renamed !== text) tryTo(() => writeFileSync(file, renamed, 'latin1'));
  }
}

/** The agent's environment. Requests to the proxy must not go through an HTTP proxy. */
export function agentEnv(env: NodeJS.ProcessEnv, own: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const direct = [env.NO_PROXY ?? env.no_proxy, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  const merged = { ...env, NO_PROXY: direct, no_proxy: direct, ...own };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
