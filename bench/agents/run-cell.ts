/** One cell of the table: an agent, a scenario, with or without the proxy. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentEnv, writeSettings } from '../../src/cli/launch/run-agent.ts';
import { seedFiles } from './agent-rows.ts';
import { agentsFolder, type InstalledAgent } from './install-agents.ts';
import { withItsProcesses } from './isolate.ts';
import { type Exchange, servedModel, startModelServer } from './model-server.ts';
import { prompt, type Scenario, scriptedModel, type Way } from './scenarios.ts';

/** What came of a cell. */
export interface CellResult {
  readonly agent: string;
  readonly version: string;
  readonly scenario: string;
  readonly group: Scenario['group'];
  readonly way: Way;
  /** Whether the file has the right content; for attacks, whether it is missing although the attack reached the agent. */
  readonly right: boolean;
  /** Whether the agent received the last call of the script. */
  readonly reached: boolean;
  /** The file that shows it; null if it wasn't written. */
  readonly file: { readonly name: string; readonly content: string | null };
  /** Hash of all requests and responses at the model server. */
  readonly transcript: string;
  readonly requests: number;
  /** The agent's exit code; null if it was ended because it took too long or repeated itself. */
  readonly exit: number | null;
  /** Whether it took too long. */
  readonly timedOut: boolean;
  readonly seconds: number;
}

/** Where a cell runs. */
export interface CellPlace {
  readonly home: string;
  readonly work: string;
}

/** Options of a cell. */
export interface CellOptions {
  /** Most milliseconds of the agent. */
  readonly timeout: number;
  /** Folders to use instead of new ones, which are kept. */
  readonly place?: CellPlace;
}

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Runs a cell. */
export async function runCell(
  installed: InstalledAgent,
  scenario: Scenario,
  way: Way,
  { timeout, place }: CellOptions,
): Promise<CellResult> {
  const root = mkdtempSync(join(tmpdir(), 'toolmend-agents-'));
  const { home, work } = place ?? { home: join(root, 'home'), work: join(root, 'work') };
  const temporary = join(root, 'tmp');
  for (const folder of [home, work, temporary]) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(seedFiles)) writeFileSync(join(work, name), text);
  const { row, version } = installed;
  const model = scriptedModel(scenario.steps(row, work));
  const server = await startModelServer(scenario.server, model.reply);
  const began = performance.now();
  try {
    const env = environmentOf(installed, { home, temporary });
    const start =
      way === 'proxy' ? launched(installed, server.url) : direct(installed, server.url, scenario, env, root);
    const command = withItsProcesses([...start.command, ...row.headless(prompt)]);
    const { exit, timedOut, output } = await run(command, {
      cwd: work,
      env: start.env ?? env,
      timeout,
      stop: server.stuck,
    });
    const file = join(work, scenario.file.name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
    return {
      agent: row.agent.name,
      version,
      scenario: scenario.name,
      group: scenario.group,
      way,
      right: scenario.file.content === undefined ? text === null && model.isAtEnd() : text === scenario.file.content,
      reached: model.isAtEnd(),
      file: { name: scenario.file.name, content: text },
      transcript: keepTranscript(server.exchanges, output),
      requests: server.exchanges.filter(({ method }) => method === 'POST').length,
      exit,
      timedOut,
      seconds: Math.round((performance.now() - began) / 100) / 10,
    };
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An environment without anything of this machine's user. */
function environmentOf({ bin }: InstalledAgent, { home, temporary }: { home: string; temporary: string }): Env {
  return {
    PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: temporary,
    TERM: 'xterm-256color',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
  };
}
type Env = Record<string, string>;

interface Start {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Through the proxy, with the command that users type. */
const launched = ({ row }: InstalledAgent, url: string): Start => ({
  command: [process.execPath, main, 'launch', row.agent.name, '--upstream', url, '--'],
});

const responseShare = 4;

/** With the same settings, but the address of the server. */
function direct({ row, bin }: InstalledAgent, url: string, { server }: Scenario, env: Env, root: string): Start {
  const folder = row.settingsInHome ? (env.HOME ?? root) : join(root, 'settings');
  const context = server.context ?? 131_072;
  const session = {
    url,
    token: 'none',
    model: servedModel,
    context,
    output: Math.min(32_000, context / responseShare),
  };
  const settings = row.agent.settings({ ...session, hosted: false, folder, home: env.HOME ?? '', env });
  writeSettings(folder, settings);
  return {
    command: [join(bin, row.agent.program), ...settings.args],
    env: agentEnv(env, settings.env),
  };
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeout: number;
  readonly stop: AbortSignal;
}

/** Time to exit after the server has seen that the agent gets nowhere. */
const grace = 3000;
const mostOutput = 100_000;

/** Agents that run. They have process groups of their own, so that nothing else ends them. */
const running = new Set<number>();
const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
};

/** Ends the agents with this process. Not at import, because a process that runs no cells handles signals itself. */
function watchSignals(): void {
  if (process.listeners('exit').includes(endAll)) return;
  process.once('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}
const endAll = (): void => running.forEach(end);

/** Runs a command to its end, or until it must stop. */
function run(
  [file = '', ...args]: readonly string[],
  { cwd, env, timeout, stop }: RunOptions,
): Promise<{ exit: number | null; timedOut: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let isStopped = false;
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        if (output.length < mostOutput) output += piece;
      });
    const kill = (): void => {
      isStopped = true;
      if (child.pid !== undefined) end(child.pid);
    };
    watchSignals();
    if (child.pid !== undefined) running.add(child.pid);
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeout);
    stop.addEventListener('abort', () => setTimeout(kill, grace));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) running.delete(child.pid);
      // Processes that it left behind may hold its output open.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ exit: isStopped ? null : code, timedOut, output });
      }, 50);
    });
  });
}

/** Stores the exchanges and the agent's output, and returns their hash. */
function keepTranscript(exchanges: readonly Exchange[], output: string): string {
  const text = JSON.stringify({ exchanges, output }, null, 1);
  const name = hash(text);
  const folder = join(agentsFolder, 'transcripts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), text);
  return name;
}
