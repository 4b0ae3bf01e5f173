import { parseArgs } from 'node:util';
import { dispatch, type WorkerEvent } from '../../run/workers/dispatch.ts';
import { runFlags, runFlagsHelp } from '../run/flags.ts';
import { openSession } from '../run/session.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

const options = { ...runFlags, 'at-once': { type: 'string' } } as const;

const help = `toolmend worker --store postgres://…
toolmend worker submit PROMPT --store postgres://…

Takes runs that were submitted to a database, as many workers as you like side by
side. When one dies, another takes its runs over from their logs; a run that waits
for a person holds no worker. submit puts a run in and prints its id.

  --at-once N        how many runs at once (10)
  --json             one JSON line for what becomes of each run

and the options of run:

${runFlagsHelp}
SIGTERM and Ctrl-C let what is under way finish for 10 s, and leave the rest to
others. Exit code: 0 stopped, 2 used wrongly.
`;

/** `toolmend worker`: takes runs until it is told to stop, or puts one in. */
export async function workerCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { output } = terminal;
  if (values.help) {
    output.write(help);
    return 0;
  }
  const { store: url = '' } = values;
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError('workers share a database: --store postgres://USER:PASSWORD@HOST/NAME');
  const [action, ...words] = positionals;
  if (action !== undefined && (action !== 'submit' || words.length === 0))
    throw new UsageError(`a worker can't '${action}'; say submit PROMPT, or nothing to take runs`);
  const atOnce = Number(values['at-once'] ?? 10);
  if (!Number.isInteger(atOnce) || atOnce < 1)
    throw new UsageError(`--at-once is a number from 1, not '${values['at-once']}'`);

  // Nobody is asked at a worker: what waits for a person waits in the database.
  const session = await openSession({ ...values, json: true }, terminal);
  const runs = await dispatch({ agent: session.agent, store: session.store, url });
  try {
    if (action === 'submit') {
      output.write(`${await runs.submit(words.join(' '))}\n`);
      return 0;
    }
    const show = values.json ? (event: WorkerEvent) => JSON.stringify(event) : line;
    let last = '';
    const worker = runs.work({
      concurrency: atOnce,
      on: (event) => {
        const text = `${show(event)}\n`;
        // A database that is away is looked for twice a second, and told of once.
        if (text !== last || event.type !== 'idle') output.write(text);
        last = text;
      },
    });
    output.write(values.json ? '{"type":"working"}\n' : `Taking runs, ${atOnce} at once\n`);
    await untilStopped(terminal, { close: () => worker.stop() }, session.note);
    return 0;
  } finally {
    await runs.close();
    await session.close();
  }
}

const line = (event: WorkerEvent): string => {
  if (event.type === 'idle') return `No runs can be taken: ${event.message}`;
  if (event.type === 'ended') return `${event.run} ended: ${event.end}`;
  if (event.type === 'failed') return `${event.run} is to be tried again: ${event.message}`;
  return event.type === 'lost' ? `${event.run} was taken over by another worker` : `${event.run} taken`;
};
