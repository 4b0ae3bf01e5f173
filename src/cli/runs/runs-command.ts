import { parseArgs } from 'node:util';
import type { StreamedEvent } from '../../log/hub.ts';
import type { Store } from '../../log/store.ts';
import { forkEvents } from '../../run/fork-events.ts';
import { newRunId } from '../../run/new-run-id.ts';
import { colour } from '../colour.ts';
import { openStore } from '../run/open-store.ts';
import { runFlags } from '../run/run-flags.ts';
import { RunScreen } from '../run/run-screen.ts';
import { openSession } from '../run/session.ts';
import { shownStore } from '../run/shown-store.ts';
import type { Page } from '../show-outcome.ts';
import { canRedraw, processTerminal, type Terminal, widthOf } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { eventsOf } from './events-of.ts';
import { findRun } from './find-run.ts';
import { followRun } from './follow-run.ts';
import { listRuns } from './list-runs.ts';
import { resumeRun } from './resume-run.ts';
import { runsHelp } from './runs-help.ts';
import { showList } from './show-list.ts';

const options = { ...runFlags, at: { type: 'string' }, limit: { type: 'string' } } as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

interface Asked {
  readonly values: ReturnType<typeof parse>['values'];
  readonly id: string | undefined;
  readonly words: readonly string[];
  readonly store: Store;
  readonly terminal: Terminal;
  readonly page: Page;
}

const actions: Readonly<Record<string, (asked: Asked) => Promise<number>>> = { list, show, follow, resume, fork };

/** `toolmend runs`: looks at the runs of a store, and takes them up again. */
export async function runsCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    terminal.output.write(runsHelp);
    return 0;
  }
  const [action = 'list', id, ...words] = positionals;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new UsageError(`runs can't '${action}'; it can: ${Object.keys(actions).join(', ')}`);
  if (values.store === undefined) throw new UsageError('which runs? --store FILE names the file they are kept in');
  const store = await openStore(values.store, { mustExist: true });
  const page = { paint: colour(terminal.output, terminal.env), width: widthOf(terminal.output, 120) };
  try {
    return await act({ values, id, words, store, terminal, page });
  } finally {
    await store.close();
  }
}

async function list({ values, store, terminal: { output }, page }: Asked): Promise<number> {
  const runs = await listRuns(store, numberOf('--limit', values.limit) ?? 20);
  output.write(values.json ? runs.map((run) => `${JSON.stringify(run)}\n`).join('') : showList(runs, page));
  return 0;
}

async function show(asked: Asked): Promise<number> {
  const draw = drawer(asked, false);
  for (const event of await eventsOf(asked.store, await findRun(asked.store, asked.id))) draw(event);
  return 0;
}

async function follow(asked: Asked): Promise<number> {
  const { store, id, terminal } = asked;
  const stop = new AbortController();
  const off = terminal.onInterrupt(() => stop.abort());
  const draw = drawer(asked, true);
  for await (const event of followRun(store, await findRun(store, id), { signal: stop.signal })) draw(event);
  off();
  return 0;
}

async function resume({ values, store, terminal, id, words }: Asked): Promise<number> {
  const run = await findRun(store, id);
  const session = await openSession(values, terminal);
  try {
    return await resumeRun(session, run, words.join(' '));
  } finally {
    await session.close();
  }
}

async function fork({ values, store, id, terminal: { output, errors } }: Asked): Promise<number> {
  const at = numberOf('--at', values.at);
  const events = await eventsOf(store, await findRun(store, id));
  const last = events.at(-1)?.seq ?? 0;
  if (at !== undefined && at > last) throw new UsageError(`--at ${at} is past the run's last event, ${last}`);
  const forked = newRunId();
  await store.append(forkEvents(events, forked, at));
  if (values.json) output.write(`${JSON.stringify({ run: forked, from: id, at: at ?? last })}\n`);
  else output.write(`${forked}\n`);
  errors.write(`It goes on with: toolmend runs resume ${forked} --store ${shownStore(values.store ?? '')} PROMPT\n`);
  return 0;
}

function drawer({ values, terminal: { output, env }, page }: Asked, live: boolean): (event: StreamedEvent) => void {
  if (values.json) return (event) => void output.write(`${JSON.stringify(event)}\n`);
  const screen = new RunScreen((text) => void output.write(text), {
    ...{ page, whole: true, live: live && canRedraw(output, env) },
  });
  return (event) => screen.show(event);
}

function numberOf(flag: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const number = Number(word);
  if (!Number.isInteger(number) || number < 1) throw new UsageError(`${flag} is a number from 1, not '${word}'`);
  return number;
}
