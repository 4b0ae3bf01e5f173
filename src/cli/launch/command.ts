import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { harmless } from '../../log/shown/visible.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import type { Upstream } from '../../proxy/options.ts';
import { createProxy } from '../../proxy/server.ts';
import { detectFormats, namedFormats } from '../../proxy/upstream/detect-formats.ts';
import { watchRequests } from '../proxy/command.ts';
import { commandName, logOf, numberOf } from '../shared/flags.ts';
import { colour } from '../terminal/colour.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type Agent, agentNamed, agents } from './agents.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import { findProgram, invocationOf, searchFolders, thisMachine } from './find-program.ts';
import { findUpstream, type ModelServer } from './find-upstream.ts';
import { shellCommands, shellLine } from './print-settings.ts';
import { agentEnv, keepCreated, runAgent, writeSettings } from './run-agent.ts';
import { openSessionLog } from './session-log.ts';
import { countSession, summaryLines } from './summary.ts';

const flags = {
  upstream: { type: 'string' },
  model: { type: 'string' },
  context: { type: 'string' },
  format: { type: 'string' },
  'key-env': { type: 'string' },
  retries: { type: 'string' },
  log: { type: 'string' },
  'log-content': { type: 'string' },
  'keep-days': { type: 'string' },
  'print-env': { type: 'boolean' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `toolmend launch`: starts a coding agent with a proxy in between, and returns the agent's exit code. */
export async function launchCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const rest = end < 0 ? [] : args.slice(end + 1);
  const { output, env } = terminal;
  const { values, positionals } = parsed(own, env);
  if (values.help) {
    output.write(launchHelp);
    return 0;
  }
  if (values.list) {
    output.write(values.json ? `${JSON.stringify(listed(env))}\n` : showAgents(env));
    return 0;
  }
  const agent = agentOf(positionals, env);
  const retries = numberOf('retries', values) ?? 1;
  const context = numberOf('context', values);
  if (context !== undefined && !(Number.isInteger(context) && context > 0))
    throw new UsageError(`Invalid --context '${values.context}': expected an integer of 1 or more, such as 32768`);
  const program = values['print-env'] ? agent.program : programOf(agent, env);
  const search = { upstream: values.upstream, keyVariable: values['key-env'], model: values.model, env };
  const server = await findUpstream(search);
  const chosen = await chooseModel(server, { model: values.model, context });
  const plan: LaunchPlan = { agent, server, chosen, args: rest };
  if (values['print-env']) {
    output.write(printed(plan, env, values.json === true));
    return 0;
  }
  const upstream = await upstreamOf(server, chosen, values.format);
  return launch({ ...plan, program, upstream, retries, log: logOf(values), json: values.json === true }, terminal);
}

/** Reads the options. The first unknown one is probably an argument of the agent. */
function parsed(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    const [, option] = /^Unknown option '(-[^']*)'/.exec((error as Error).message) ?? [];
    const name = args.find((word) => agentNamed(word));
    if (option === undefined || name === undefined) throw error;
    const from = args.findIndex((word) => word === option || word.startsWith(`${option}=`));
    const own = from < 0 ? option : shellLine(args.slice(from));
    throw new UsageError(
      `Unknown option '${option}'. See --help for the options. Write the arguments of the agent after --: ${commandName(env)} launch ${name} -- ${own}`,
    );
  }
}

/** What to start. */
interface LaunchPlan {
  readonly agent: Agent;
  readonly server: ModelServer;
  readonly chosen: ChosenModel;
  /** The user's arguments for the agent. */
  readonly args: readonly string[];
}

interface LaunchOptions extends LaunchPlan {
  readonly program: string;
  readonly upstream: Upstream;
  readonly retries: number;
  readonly log: ReturnType<typeof logOf>;
  readonly json: boolean;
}

/** Starts the proxy, runs the agent, and reports what happened. Leaves nothing behind but the log. */
async function launch(options: LaunchOptions, terminal: Terminal): Promise<number> {
  const { agent, server, chosen, program, upstream, retries, json } = options;
  const { env } = terminal;
  const token = randomBytes(24).toString('base64url');
  const folder = sessionFolder();
  const began = Date.now();
  const log = openSessionLog({ agent: agent.name });
  const counter = countSession();
  const notice = (text: string): void => log.write(JSON.stringify({ time: new Date().toISOString(), notice: text }));
  const watch = await watchRequests(
    { ...options.log, token, upstreams: { upstream: { url: server.url, headers: server.headers } } },
    { json: true, env, write: log.write, complain: notice, guarded: false },
  );
  try {
    const proxy = await createProxy({
      upstreams: withAlias(upstream, server, chosen),
      token,
      port: 0,
      retries,
      timeouts: { close: 1000 },
      onNotice: notice,
      onError: notice,
      onRequest: (record) => {
        watch.onRequest(record);
        for (const warning of counter.add(record)) notice(warning);
      },
    }).listen();
    try {
      say(terminal, json, startLines(options, log.file));
      const { url } = proxy;
      const machine = thisMachine(env);
      const { home } = machine;
      const settings = agent.settings({ url, token, ...chosen, hosted: server.hosted, folder, home, env });
      writeSettings(folder, settings);
      const invocation = invocationOf(program, [...settings.args, ...options.args], machine);
      const hasTerminal = terminal.input.isTTY === true;
      const code = await runAgent(invocation, { env: agentEnv(env, settings.env), hasTerminal });
      keepCreated(folder, settings, began);
      return code;
    } finally {
      await proxy.close();
    }
  } catch (error) {
    const { code, syscall = '' } = error as NodeJS.ErrnoException;
    if (!syscall.startsWith('spawn')) throw error;
    throw new UsageError(`${program} can't be started (${code}). Install it again with: ${agent.install}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await watch.close();
    log.close();
    const report = counter.report();
    if (json) terminal.errors.write(`${JSON.stringify({ ...report, log: log.file })}\n`);
    else say(terminal, json, [...summaryLines(report, log.file), ...report.warnings]);
  }
}

function sessionFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'toolmend-launch-'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Can't create a folder for temporary files in ${tmpdir()} (${code}). Set TMPDIR to a folder that you can write to`,
    );
  }
}

/** Writes lines beside the agent's output. */
function say({ errors, env }: Terminal, json: boolean, lines: readonly string[]): void {
  if (json) return;
  const mark = colour(errors, env).dim('toolmend:');
  for (const line of lines) errors.write(`${mark} ${harmless(line)}\n`);
}

function startLines({ agent, server, chosen }: LaunchPlan, log: string): string[] {
  const { model, context, notices } = chosen;
  const place = `${server.name === 'server' ? '' : `${server.name} at `}${displayUrl(server.root)}`;
  return [...notices, `${agent.label} with ${model} (${context} tokens) from ${place}. Log: ${log}`];
}

/** The upstream for the proxy. Only Ollama's own format takes a context size. */
async function upstreamOf(
  { name, url, root, headers }: ModelServer,
  { requested }: ChosenModel,
  format: string | undefined,
): Promise<Upstream> {
  const base = { name, url, ...(Object.keys(headers).length > 0 && { headers }) };
  if (format !== undefined) {
    const named = Object.hasOwn(namedFormats, format) ? namedFormats[format] : undefined;
    if (!named)
      throw new UsageError(`Unknown --format '${format}'. Expected one of: ${Object.keys(namedFormats).join(', ')}`);
    return { ...base, formats: named.formats, target: named.target, ...defaultsFor(requested) };
  }
  if (requested !== undefined)
    return { ...base, url: root.href, formats: ['ollama'], target: 'plain', ...defaultsFor(requested) };
  const { formats, target, why } = await detectFormats(url, { headers });
  if (formats.length === 0) throw new UsageError(`${why}. Start the server, or set its API format with --format`);
  return { ...base, formats, target };
}

/**
 * Uses the model of the session for all names that the server doesn't have: agents request other models for titles,
 * summaries and searches, and not all of them can be configured. The lists of other servers may be incomplete.
 */
function withAlias(upstream: Upstream, { name, hosted, names }: ModelServer, { model }: ChosenModel): Upstream[] {
  if (hosted || name === 'server' || names.length === 0) return [upstream];
  const own = names.flatMap((one) => [one, one.replace(/:latest$/, '')]);
  return [
    { ...upstream, models: [...new Set([model, ...own])] },
    { ...upstream, model },
  ];
}

const defaultsFor = (tokens: number | undefined): Pick<Upstream, 'defaults'> =>
  tokens === undefined ? {} : { defaults: { options: { num_ctx: tokens } } };

function agentOf([name, ...more]: readonly string[], env: NodeJS.ProcessEnv): Agent {
  const names = agents.map((agent) => agent.name).join(', ');
  if (name === undefined)
    throw new UsageError(`Missing agent. Usage: ${commandName(env)} launch AGENT. Expected one of: ${names}`);
  const agent = agentNamed(name);
  if (!agent) throw new UsageError(`Unknown agent '${name}'. Expected one of: ${names}`);
  if (more.length > 0)
    throw new UsageError(
      `Unexpected '${more[0]}'. Write the arguments of the agent after --: ${commandName(env)} launch ${name} -- ${shellLine(more)}`,
    );
  return agent;
}

function programOf({ label, program, folders, install }: Agent, env: NodeJS.ProcessEnv): string {
  const machine = thisMachine(env);
  const file = findProgram(program, folders, machine);
  if (file !== undefined) return file;
  const searched = searchFolders(machine, folders).length;
  throw new UsageError(
    `${label} is not installed: '${program}' is in none of ${searched} folders (PATH and ~/${folders.join(', ~/')}). Install it with: ${install}`,
  );
}

const standalonePort = 17645;
/** For proxies without a token, because agents require some key. */
const placeholder = 'toolmend';

/** What to set for a proxy that the user starts. */
function printed({ agent, server, chosen, args }: LaunchPlan, env: NodeJS.ProcessEnv, json: boolean): string {
  const { url, name, root, headers, hosted } = server;
  const ollama = ['--format', 'ollama', '--num-ctx', String(chosen.requested)];
  const proxy = [
    ...commandName(env).split(' '),
    'proxy',
    '--upstream',
    name === 'Ollama' ? displayUrl(root) : url,
    ...(chosen.requested === undefined ? [] : ollama),
  ];
  const folder = join(tmpdir(), `toolmend-${agent.name}-${randomBytes(8).toString('hex')}`);
  const address = `http://127.0.0.1:${standalonePort}`;
  const { home } = thisMachine(env);
  const settings = agent.settings({ url: address, token: placeholder, ...chosen, hosted, folder, home, env });
  const command = [agent.program, ...settings.args, ...args];
  if (json) return `${JSON.stringify({ proxy, ...settings, folder, command })}\n`;
  const key =
    Object.keys(headers).length > 0 ? `# Replace '${placeholder}' by your API key, which the proxy forwards.\n` : '';
  return `${key}${shellCommands({ proxy, folder, settings, command }, process.platform)}`;
}

interface ListedAgent {
  readonly name: string;
  readonly label: string;
  readonly program: string | null;
  readonly install: string;
}

const listed = (env: NodeJS.ProcessEnv): ListedAgent[] =>
  agents.map(({ name, label, program, folders, install }) => ({
    name,
    label,
    program: findProgram(program, folders, thisMachine(env)) ?? null,
    install,
  }));

const showAgents = (env: NodeJS.ProcessEnv): string =>
  listed(env)
    .map(
      ({ name, label, program, install }) =>
        `${name.padEnd(9)} ${label.padEnd(19)} ${program ?? `not installed (${install})`}\n`,
    )
    .join('');

export const launchHelp = `Usage: toolmend launch AGENT [OPTIONS] [-- ARGS]

Start a coding agent with any model. Finds the model server, starts a proxy that
mends tool calls and translates between API formats, and starts the agent with the
necessary settings. Doesn't change your files. Passes ARGS to the agent.

Agents:
${agents.map(({ name, label }) => `  ${name.padEnd(9)} ${label}`).join('\n')}

Options:
  --upstream URL      address of the model server (default: OPENAI_BASE_URL or
                      OLLAMA_HOST, or else Ollama, llama-server, LM Studio or vLLM
                      on this machine)
  --model NAME        name of the model (default: the loaded model, or the first
                      one that the server lists)
  --context N         context size in tokens (default: what the server reports; for
                      Ollama, the size in the model's settings or up to 32768)
  --format NAME       API format of the server: openai, anthropic, gemini or ollama
                      (default: detected; ollama for Ollama)
  --key-env NAME      environment variable with the server's API key (default: for a
                      known service, its usual variable, such as OPENAI_API_KEY)
  --retries N         send calls that can't be mended back to the model, up to N
                      times (default: 1)
  --log FILE          record names, repairs and problems of calls in a SQLite file
  --log-content FILE  also record messages and arguments, with secrets redacted
  --keep-days N       delete recorded responses older than N days
  --print-env         print the settings for a proxy that you start yourself,
                      without starting anything
  --list              list the agents and their locations
  --json              write the summary, the settings or the list as JSON
  -h, --help          show this help

The log of a session has one JSON line for each request: names, repairs, problems
and times, without messages and arguments. It is in the system's temporary folder,
has at most 10 MB, and is deleted after 7 days or 20 further sessions.

Exit codes: the agent's exit code, 128 + N if signal N ended it, 2 usage error.
`;
