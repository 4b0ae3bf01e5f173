import { parseArgs } from 'node:util';
import type { ResumePolicy } from '../../log/events.ts';
import { harmless } from '../../log/shown/visible.ts';
import { dispatch, type WorkerEvent } from '../../run/workers/dispatch.ts';
import { runFlags, runFlagsHelp } from '../run/flags.ts';
import { openSession } from '../run/session.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { startHealthServer, WorkerCounts } from './health-server.ts';

const options = {
  ...runFlags,
  'at-once': { type: 'string' },
  key: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  grace: { type: 'string' },
  'heartbeat-timeout': { type: 'string' },
  'max-attempts': { type: 'string' },
  'resume-policy': { type: 'string' },
} as const;

const help = `Usage: toolmend worker [OPTIONS] --store postgres://…
       toolmend worker submit PROMPT --store postgres://…

Execute runs from a Postgres database. Any number of workers can share a database.
When a worker dies, another one continues its runs from their logs. A run that
waits for approval occupies no worker. 'submit' adds a run and prints its id.

Worker options:
  --at-once N        maximum number of concurrent runs (default: 10)
  --resume-policy P  which runs to continue if the model, the instructions or the
                     tools have changed: same (none), compatible (those whose tools
                     take the same input) or any (default: compatible)
  --max-attempts N   failed attempts after which a run is dead (default: 5)
  --heartbeat-timeout N  seconds without a heartbeat before other workers take over
                     this worker's runs (default: 10)
  --grace N          seconds for runs in progress after SIGTERM (default: 10)
  --port N           serve /healthz, /readyz and /metrics on this port
  --host ADDRESS     address for --port (default: 127.0.0.1)
  --key KEY          for 'submit': add only one run with this key
  --json             print one JSON line for each change of a run

${runFlagsHelp}
On SIGTERM or Ctrl-C, runs in progress have time to finish (--grace). Other workers
continue the rest.

Exit codes: 0 stopped, 2 usage error.
`;

/** `toolmend worker`: processes runs until it is stopped, or queues one. */
export async function workerCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { output } = terminal;
  if (values.help) {
    output.write(help);
    return 0;
  }
  const { store: url = '' } = values;
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError('Workers need a Postgres database: --store postgres://USER:PASSWORD@HOST/NAME');
  const [action, ...words] = positionals;
  if (action !== undefined && (action !== 'submit' || words.length === 0))
    throw new UsageError(`Unexpected argument '${action}'. Use 'submit PROMPT', or no argument to start a worker`);
  const atOnce = numberOf(values, 'at-once', 10);
  const maxAttempts = numberOf(values, 'max-attempts', 5);
  const heartbeatTimeout = numberOf(values, 'heartbeat-timeout', 10);
  const grace = numberOf(values, 'grace', 10, 0) * 1000;
  const port = values.port === undefined ? undefined : numberOf(values, 'port', 0, 0);

  const { 'resume-policy': resumePolicy = 'compatible' } = values;
  if (!isPolicy(resumePolicy))
    throw new UsageError(`Invalid --resume-policy '${resumePolicy}': expected one of: ${policies.join(', ')}`);

  // A worker has no user; pending approvals stay in the database.
  const session = await openSession({ ...values, json: true }, terminal);
  const runs = await dispatch({ agent: session.agent, store: session.store, url, heartbeatTimeout });
  try {
    if (action === 'submit') {
      output.write(`${await runs.submit(words.join(' '), values.key === undefined ? {} : { key: values.key })}\n`);
      return 0;
    }
    const show = values.json ? (event: WorkerEvent) => JSON.stringify(event) : line;
    let last = '';
    const counts = new WorkerCounts();
    const worker = runs.work({
      concurrency: atOnce,
      resumePolicy,
      maxAttempts,
      on: (event) => {
        counts.count(event);
        const text = `${harmless(show(event))}\n`;
        // An unavailable database is polled twice a second, but reported once.
        if (text !== last || event.type !== 'idle') output.write(text);
        last = text;
      },
    });
    output.write(values.json ? '{"type":"working"}\n' : `Waiting for runs, up to ${atOnce} at once\n`);
    const { host = '127.0.0.1' } = values;
    const health = port === undefined ? undefined : await startHealthServer(worker, counts, { port, host });
    if (health)
      output.write(values.json ? `${JSON.stringify({ health: health.url })}\n` : `Health and metrics: ${health.url}\n`);
    // It reports that it isn't ready while runs in progress finish.
    await untilStopped(terminal, { close: () => worker.stop({ grace }) }, session.note);
    await health?.close();
    return 0;
  } finally {
    await runs.close();
    await session.close();
  }
}

type Numbers = 'at-once' | 'max-attempts' | 'heartbeat-timeout' | 'grace' | 'port';

function numberOf(values: { readonly [flag in Numbers]?: string }, flag: Numbers, fallback: number, least = 1): number {
  const number = Number(values[flag] ?? fallback);
  if (Number.isInteger(number) && number >= least && number < 65_536) return number;
  throw new UsageError(`Invalid --${flag} '${values[flag]}': expected an integer of ${least} or more`);
}

const policies: readonly ResumePolicy[] = ['same', 'compatible', 'any'];
const isPolicy = (word: string): word is ResumePolicy => policies.includes(word as ResumePolicy);

const line = (event: WorkerEvent): string => {
  if (event.type === 'idle') return `Can't fetch runs: ${event.message}`;
  if (event.type === 'ended') return `${event.run} ended: ${event.end}`;
  if (event.type === 'failed') return `${event.run} failed and will be retried: ${event.message}`;
  if (event.type === 'refused') return `${event.run} is left to another worker: ${event.message}`;
  return event.type === 'lost' ? `${event.run} was taken over by another worker` : `${event.run} taken`;
};
