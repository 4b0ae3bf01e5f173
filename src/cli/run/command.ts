import { parseArgs } from 'node:util';
import type { RunEnd } from '../../log/events.ts';
import type { Run } from '../../run/run.ts';
import { colour } from '../terminal/colour.ts';
import { readAll } from '../terminal/stdin.ts';
import { hasPerson, processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { askLine } from './approver.ts';
import { runFlags, runHelp } from './flags.ts';
import { storeLabel } from './open-store.ts';
import { openSession, type Session } from './session.ts';

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
    if (values.store !== undefined) session.note(`${run.id}, stored in ${storeLabel(values.store)}`);
    return prompt === undefined ? await converse(run, session) : await drive(run.send(prompt), session);
  } finally {
    await session.close();
  }
}

/** The prompt: the command's words, or piped input; undefined starts a conversation. */
export async function promptOf(
  words: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<string | undefined> {
  if (words.length > 0) return words.join(' ');
  if (hasPerson(terminal) && !json) return undefined;
  const text = terminal.input.isTTY ? '' : (await readAll(terminal.input)).trim();
  if (text === '')
    throw new UsageError('Missing PROMPT. Pass it as an argument or on standard input; see toolmend run --help');
  return text;
}

/** A conversation at the prompt, until the input ends. */
export async function converse(run: Run, session: Session): Promise<number> {
  const { terminal, note, screen } = session;
  const prompt = `${colour(terminal.output, terminal.env).cyan('›')} `;
  note('Type a message. Ctrl-C stops the current turn, Ctrl-D exits.');
  terminal.output.write('\n');
  for (;;) {
    screen.hold();
    const line = await askLine(terminal, prompt);
    screen.release();
    if (line === undefined) return 0;
    if (line.trim() === '') continue;
    run.send(line);
    await drive(run, session);
  }
}

/** Draws a run until its loop ends or Ctrl-C is pressed. Returns the exit code. */
export async function drive(run: Run, session: Session): Promise<number> {
  session.interrupts.arm(() => run.abort());
  for await (const event of run) session.screen.show(event);
  const { end } = await run.result;
  session.interrupts.arm(undefined);
  if (end === 'awaiting_approval') session.note(waiting(run.id, session.values.store));
  return codes[end] ?? 1;
}

const codes: Partial<Record<RunEnd, number>> = { done: 0, aborted: 130 };

const waiting = (id: string, store: string | undefined): string =>
  store === undefined
    ? 'A call needs approval, and there is no terminal to ask in. Allow it with --allow RULE or --mode auto.'
    : `A call needs approval. To decide in a terminal, run: toolmend runs resume ${id} --store ${storeLabel(store)}`;
