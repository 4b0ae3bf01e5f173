import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** Starts the program, and gives the lines it has said. */
function program(...args: string[]): string[] {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  closing.push(() => {
    child.kill('SIGKILL');
    return gone;
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  return lines;
}

/** The call that waits for a person, once the run rests for it. */
const waiting = async (store: Store, run: string): Promise<string | undefined> => {
  const events = await all(store, run);
  const last = events.at(-1);
  if (last?.type !== 'run.ended' || last.end !== 'awaiting_approval') return undefined;
  return events.findLast((event) => event.type === 'approval.requested')?.callId;
};

describe('a worker and an inspector connected only by the database', { timeout: 120_000 }, () => {
  it('a decision on the page resumes the run', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 2 });
    closing.push(() => store.close());
    program('worker', '--store', url, '--json');
    const inspector = program('inspect', url, '--port', '0', '--json');
    const submitted = program('worker', 'submit', 'Write the greeting', '--store', url);
    const run = await until(() => submitted.find((line) => line.startsWith('run_')));
    const page = await until(() => inspector[0] && (JSON.parse(inspector[0]) as { listening: string }).listening);

    const callId = await until(() => waiting(store, run));
    const answer = await fetch(new URL(`api/approvals/${run}/${callId}`, page), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"allow"}',
    });
    expect(answer.status).toBe(200);
    await until(async () =>
      (await all(store, run)).some((event) => event.type === 'tool.finished' && event.callId === callId),
    );
    expectWhole(await all(store, run));
  });
});
