import { parseArgs } from 'node:util';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';

/** `toolmend tour`: shows a complete run. */
export async function tourCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } });
  if (!values.help) return (await import('./tour.ts')).tour(terminal);
  terminal.output.write(tourHelp);
  return 0;
}

const tourHelp = `Usage: toolmend tour [OPTIONS]

Show a complete run with a scripted model that makes the usual mistakes: damaged
calls, repairs, feedback and approvals. It needs no key, and changes no file.

Options:
  -h, --help   show this help

Exit codes: 0 shown, 2 usage error.
`;
