import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { requeueRun } from '../../log/control/requeue-run.ts';
import type { Decision, RunEvent } from '../../log/events.ts';
import { applyEvent, fold, waitingCalls } from '../../log/fold.ts';
import { harmless, harmlessJson } from '../../log/shown/visible.ts';
import { type CallRecord, newRunState } from '../../log/state.ts';
import { eventsOfRun, type Store } from '../../log/store.ts';
import type { StreamedEvent } from '../../log/subscribe.ts';
import { forkEvents, newRunId } from '../../run/agent.ts';
import type { Run } from '../../run/run.ts';
import { control, outcomeOf, type RunControl, type RunOutcome } from '../../run/workers/control.ts';
import type { Page } from '../mend/show-outcome.ts';
import { converse, drive } from '../run/command.ts';
import { runFlags, runFlagsHelp } from '../run/flags.ts';
import { openStore, storeLabel } from '../run/open-store.ts';
import { RunScreen } from '../run/run-screen.ts';
import { openSession, type Session } from '../run/session.ts';
import { colour } from '../terminal/colour.ts';
import { canRedraw, hasPerson, processTerminal, type Terminal, widthOf } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { listRuns, showList } from './list-runs.ts';

const options = { ...runFlags, at: { type: 'string' }, limit: { type: 'string' }, dead: { type: 'boolean' } } as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

interface Asked {
  readonly values: ReturnType<typeof parse>['values'];
  readonly id: string | undefined;
  readonly words: readonly string[];
  readonly store: Store;
  readonly terminal: Terminal;
  readonly page: Page;
}

const actions: Readonly<Record<string, (asked: Asked) => Promise<number>>> = {
  list,
  show,
  follow,
  result,
  resume,
  fork,
  requeue,
  cancel: controlled((runs, run, words) => runs.cancel(run, words.join(' ') || undefined)),
  send: controlled((runs, run, words) => runs.send(run, promptOf(words))),
  interrupt: controlled((runs, run, words) => runs.interrupt(run, promptOf(words))),
  approve: controlled((runs, run, [call]) => runs.approve(run, callOf(call), { type: 'allow', by: 'runs' })),
  deny: controlled((runs, run, [call, ...words]) =>
    runs.approve(run, callOf(call), { type: 'deny', by: 'runs', ...(words.length > 0 && { reason: words.join(' ') }) }),
  ),
  wait,
};

/** `toolmend runs`: lists, shows and resumes the runs of a store. */
export async function runsCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    terminal.output.write(runsHelp);
    return 0;
  }
  const [action = 'list', id, ...words] = positionals;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new UsageError(`Unknown action '${action}'. Expected one of: ${Object.keys(actions).join(', ')}`);
  if (values.store === undefined) throw new UsageError('Missing --store FILE');
  const store = await openStore(values.store, { mustExist: true });
  const page = { paint: colour(terminal.output, terminal.env), width: widthOf(terminal.output, 120) };
  try {
    return await act({ values, id, words, store, terminal, page });
  } finally {
    await store.close();
  }
}

async function list({ values, store, terminal: { output }, page }: Asked): Promise<number> {
  const runs = await listRuns(store, { limit: numberOf('--limit', values.limit) ?? 20, dead: values.dead === true });
  output.write(values.json ? runs.map((run) => `${harmlessJson(run)}\n`).join('') : showList(runs, page));
  return 0;
}

async function show(asked: Asked): Promise<number> {
  const draw = drawer(asked, false);
  for (const event of await eventsOfRun(asked.store, await findRun(asked.store, asked.id))) draw(event);
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
  // You decide with the options which model and tools continue the run.
  const { agent } = fold(await eventsOfRun(store, run));
  const own = agent ? { agent: agent.name, ...values } : values;
  const session = await openSession(own, terminal);
  try {
    return await resumeRun(session, run, words.join(' '));
  } finally {
    await session.close();
  }
}

/** Sends a command to a run, wherever it runs. */
function controlled(command: (runs: RunControl, run: string, words: readonly string[]) => Promise<void>) {
  return async (asked: Asked): Promise<number> =>
    withControl(asked, async (runs, run) => {
      await command(runs, run, asked.words);
      asked.terminal.output.write(`${run}\n`);
      return 0;
    });
}

async function withControl(
  { values, store, id }: Asked,
  work: (runs: RunControl, run: string) => Promise<number>,
): Promise<number> {
  const { store: url = '' } = values;
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError(
      'Only runs in a Postgres database can be controlled: --store postgres://USER:PASSWORD@HOST/NAME',
    );
  const run = await findRun(store, id);
  const runs = await control({ store, url });
  try {
    return await work(runs, run);
  } finally {
    await runs.close();
  }
}

function wait(asked: Asked): Promise<number> {
  return withControl(asked, async (runs, run) => showOutcome(asked, run, await runs.wait(run)));
}

async function result(asked: Asked): Promise<number> {
  const { store, terminal } = asked;
  const run = await findRun(store, asked.id);
  const outcome = outcomeOf(fold(await eventsOfRun(store, run)));
  if (outcome) return showOutcome(asked, run, outcome);
  terminal.errors.write(`The run ${run} has no result yet: it is running or queued.\n`);
  return 1;
}

function showOutcome({ values, terminal: { output } }: Asked, run: string, outcome: RunOutcome): number {
  const { end, message, text } = outcome;
  if (values.json) output.write(`${harmlessJson({ run, end, message, text })}\n`);
  // Tabs stay, because the text may be code.
  else output.write(`${(end === 'done' ? text : `${end}: ${message}`).split('\t').map(harmless).join('\t')}\n`);
  return end === 'done' ? 0 : 1;
}

function promptOf(words: readonly string[]): string {
  if (words.length === 0) throw new UsageError('Missing PROMPT: the message for the run');
  return words.join(' ');
}

function callOf(call: string | undefined): string {
  if (call === undefined)
    throw new UsageError("Missing CALL: the id of the call. 'toolmend runs show ID --json' shows it");
  return call;
}

async function requeue({ store, id, terminal: { output } }: Asked): Promise<number> {
  const run = await findRun(store, id);
  await requeueRun(store, run);
  output.write(`${run}\n`);
  return 0;
}

async function fork({ values, store, id, terminal: { output, errors } }: Asked): Promise<number> {
  const at = numberOf('--at', values.at);
  const events = await eventsOfRun(store, await findRun(store, id));
  const last = events.at(-1)?.seq ?? 0;
  if (at !== undefined && at > last) throw new UsageError(`Invalid --at ${at}: the last event of the run is ${last}`);
  const forked = newRunId();
  await store.append(forkEvents(events, forked, at));
  if (values.json) output.write(`${JSON.stringify({ run: forked, from: id, at: at ?? last })}\n`);
  else output.write(`${forked}\n`);
  errors.write(`Continue it with: toolmend runs resume ${forked} --store ${storeLabel(values.store ?? '')} PROMPT\n`);
  return 0;
}

function drawer({ values, terminal: { output, env }, page }: Asked, live: boolean): (event: StreamedEvent) => void {
  if (values.json) return (event) => void output.write(`${harmlessJson(event)}\n`);
  const screen = new RunScreen((text) => void output.write(text), {
    page,
    whole: true,
    live: live && canRedraw(output, env),
  });
  return (event) => screen.show(event);
}

function numberOf(flag: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const number = Number(word);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`Invalid ${flag} '${word}': expected an integer of 1 or more`);
  return number;
}

export const runsHelp = `Usage: toolmend runs [ACTION] --store FILE

List, show, resume and fork the runs that 'toolmend run --store FILE' stored. You
can shorten an ID to its first characters.

Actions:
  list               list the newest runs; --limit N sets how many (default: 20),
                     --dead lists those that workers no longer retry
  show ID            show a run from the start
  follow ID          show a run from the start, and wait for more until it ends
  result ID          print the last text of a run that is done, or its end reason
  resume ID [PROMPT] continue a run: ask for pending approvals, and send PROMPT
  fork ID [--at SEQ] copy a run into a new one, up to event SEQ (default: all)

With a Postgres database, you can control workers' runs on any machine:
  cancel ID [REASON] stop a run
  send ID PROMPT     add a message, which the model gets after the next results
  interrupt ID PROMPT  stop the current step, and continue with a message
  approve ID CALL    allow a call that waits for approval
  deny ID CALL [REASON]  deny it
  wait ID            wait until the run ends or waits, and print its last text
  requeue ID         let workers run a dead or ended run again

'resume' has the options of 'toolmend run':

${runFlagsHelp}
Exit codes: 0 success, 1 'wait' and 'result': the run didn't end as done, 2 usage
error; 'resume' has the codes of 'toolmend run'.
`;

export interface FollowOptions {
  /** Interval between reads of the store, in milliseconds. */
  readonly pollInterval?: number;
  readonly signal?: AbortSignal;
}

/** The events of a run, including new ones, until its loop ends or the signal aborts. Throws if the run is deleted. */
export async function* followRun(
  store: Store,
  run: string,
  { pollInterval: every = 200, signal }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  const state = newRunState(run);
  while (!signal?.aborted) {
    let isStored = false;
    // The last event again, which only a deleted run doesn't have.
    for await (const event of store.read(run, Math.max(0, state.seq - 1))) {
      isStored = true;
      if (event.seq <= state.seq) continue;
      applyEvent(state, event);
      yield event;
    }
    if (!isStored) throw new ToolmendError('unknown_run', `The run ${run} was deleted before it ended.`);
    // The state tells, because an ended run may have been resumed, and an aborted tool may return after the end.
    if (state.ended) return;
    await pause(every, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/** Resumes a run: decides pending calls, sends a message, or continues. */
export async function resumeRun(session: Session, id: string, prompt: string): Promise<number> {
  const events = await eventsOfRun(session.store, id);
  const isDone = fold(events).ended?.end === 'done';
  session.screen.know(events);
  const talks = hasPerson(session.terminal) && !session.values.json;
  if (isDone && prompt === '' && !talks)
    throw new UsageError('The run is done. To continue it, pass a PROMPT: toolmend runs resume ID PROMPT');
  const run = await session.agent.resume(id);
  const waiting = waitingCalls(run.state);
  if (waiting.length > 0) await decide(run, waiting, session);
  else if (isDone && prompt === '') return converse(run, session);
  if (prompt !== '') run.send(prompt);
  return drive(run.continue(), session);
}

/**
 * Applies the current rules first, where they deny. A call that waits for a person is only allowed by one: they are
 * asked when the run continues, and without a terminal it keeps waiting.
 */
async function decide(run: Run, waiting: readonly CallRecord[], { agent, permissions }: Session): Promise<void> {
  const decisions: [string, Decision][] = [];
  for (const { callId, name, input } of waiting) {
    const tool = agent.toolbox.get(name);
    if (!tool) throw new UsageError(`A call to ${name} is waiting for approval. Pass its tool with --tools`);
    const verdict = permissions.decide({ callId, tool, name, input });
    if (verdict.type === 'deny') decisions.push([callId, verdict]);
  }
  await Promise.all(decisions.map(([callId, decision]) => run.approve(callId, decision)));
}

const most = 100_000;

/** The complete id of a run, from a unique prefix. */
async function findRun(store: Store, given: string | undefined): Promise<string> {
  if (given === undefined) throw new UsageError('Missing ID. List the ids with: toolmend runs list');
  const ids = (await store.runs({ limit: most })).map(({ run }) => run);
  if (ids.includes(given)) return given;
  const found = ids.filter((id) => id.startsWith(given) || id.startsWith(`run_${given}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new UsageError(
    only === undefined
      ? `No run '${given}'. List the ids with: toolmend runs list`
      : `${found.length} runs start with '${given}'. Write more characters of the id`,
  );
}
