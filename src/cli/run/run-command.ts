import { parseArgs } from 'node:util';
import { readAll } from '../read-all.ts';
import { hasPerson, processTerminal, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { converse } from './converse.ts';
import { drive } from './drive.ts';
import { runFlags } from './run-flags.ts';
import { runHelp } from './run-help.ts';
import { openSession } from './session.ts';
import { shownStore } from './shown-store.ts';

/** `toolmend run [PROMPT]`: an agent in the terminal. */
export async function runCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: runFlags });
  if (values.help) {
    terminal.output.write(runHelp);
    return 0;
  }
  const prompt = await promptOf(positionals, terminal, values.json === true);
  const session = await openSession(values, terminal);
  try {
    const run = session.agent.run();
    if (values.store !== undefined) session.note(`${run.id}, kept in ${shownStore(values.store)}`);
    return prompt === undefined ? await converse(run, session) : await drive(run.send(prompt), session);
  } finally {
    await session.close();
  }
}

/** What is asked: the words of the command, or what comes through a pipe; undefined begins a conversation. */
export async function promptOf(
  words: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<string | undefined> {
  if (words.length > 0) return words.join(' ');
  if (hasPerson(terminal) && !json) return undefined;
  const text = terminal.input.isTTY ? '' : (await readAll(terminal.input)).trim();
  if (text === '') throw new UsageError('what is to be done? Give a PROMPT, or pipe one in (toolmend run --help)');
  return text;
}
