import manifest from '../../package.json' with { type: 'json' };
import { ToolmendError } from '../json/toolmend-error.ts';
import { harmless } from '../log/shown/visible.ts';
import { colour } from './terminal/colour.ts';
import { UsageError } from './usage-error.ts';

interface Command {
  readonly about: string;
  /** Whether it serves clients, and so outlives the reader of its output. */
  readonly serves?: boolean;
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Commands, loaded on demand. */
const commands: Readonly<Record<string, Command>> = {
  mend: {
    about: 'mend a tool call or any text that should be JSON',
    run: async (args) => (await import('./mend/command.ts')).mendCommand(args),
  },
  check: {
    about: 'check tool definitions',
    run: async (args) => (await import('./check/command.ts')).checkCommand(args),
  },
  decode: {
    about: 'extract tool calls that models wrote as text',
    run: async (args) => (await import('./decode/command.ts')).decodeCommand(args),
  },
  run: {
    about: 'run an agent with your tools in the terminal',
    run: async (args) => (await import('./run/command.ts')).runCommand(args),
  },
  runs: {
    about: 'list, show, resume and fork stored runs',
    run: async (args) => (await import('./runs/command.ts')).runsCommand(args),
  },
  replay: {
    about: 'check logged calls again and show what changed',
    run: async (args) => (await import('./replay/command.ts')).replayCommand(args),
  },
  proxy: {
    about: 'mend the tool calls of any API client',
    serves: true,
    run: async (args) => (await import('./proxy/command.ts')).proxyCommand(args),
  },
  launch: {
    about: 'start a coding agent with any model',
    serves: true,
    run: async (args) => (await import('./launch/command.ts')).launchCommand(args),
  },
  gateway: {
    about: 'mend the tool calls of any MCP host',
    serves: true,
    run: async (args) => (await import('./gateway/command.ts')).gatewayCommand(args),
  },
  worker: {
    about: 'execute runs from a shared database',
    run: async (args) => (await import('./worker/command.ts')).workerCommand(args),
  },
  inspect: {
    about: 'show runs on a web page',
    run: async (args) => (await import('./inspect/command.ts')).inspectCommand(args),
  },
  tour: {
    about: 'watch a complete run with a scripted model',
    run: async (args) => (await import('./tour/command.ts')).tourCommand(args),
  },
  doctor: {
    about: 'find out why tool calls fail with a model server',
    run: async (args) => (await import('./doctor/command.ts')).doctorCommand(args),
  },
};

/** The command line: `toolmend COMMAND …`. Returns the exit code: 0 success, 1 invalid input, 2 usage error. */
export async function cli(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const serves = Object.hasOwn(commands, name) && commands[name]?.serves === true;
  process.stdout.on('error', serves ? stayQuietly : leaveQuietly);
  if (serves) process.stderr.on('error', stayQuietly);
  try {
    if (Object.hasOwn(commands, name)) return await (commands[name] as Command).run(rest);
    return general(name);
  } catch (error) {
    const said = saidOf(error);
    process.stderr.write(`${colour(process.stderr).red('toolmend:')} ${harmless(said)}\n`);
    return 2;
  }
}

function general(name: string): number {
  if (name === '--version' || name === '-v') process.stdout.write(`${manifest.version}\n`);
  else if (name === '--help' || name === '-h' || name === 'help') process.stdout.write(help());
  else if (name === '') {
    process.stderr.write(help());
    return 2;
  } else throw new UsageError(`Unknown command '${name}'. Expected one of: ${Object.keys(commands).join(', ')}`);
  return 0;
}

const help = (): string => `Usage: toolmend COMMAND [OPTIONS]

Mend, check and explain the tool calls of language models.

Commands:
${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(9)} ${about}`)
  .join('\n')}

Run 'toolmend COMMAND --help' for details, or 'toolmend --version' for the version.
`;

/** The message of an error with a code. Any other error is a bug, and is shown with its stack trace. */
function saidOf(error: unknown): string {
  if (ToolmendError.isInstance(error)) return error.message;
  const code = (error as { code?: unknown }).code;
  if (error instanceof Error && typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    return `${firstSentence(error.message)}. See --help for the options.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Removes Node's advice about positional arguments, which doesn't apply. */
const firstSentence = (text: string): string => text.replace(/[.]\s.*$/s, '');

/** The reader of a server's output closed the pipe. Its clients still need it. */
function stayQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The reader closed the pipe. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
