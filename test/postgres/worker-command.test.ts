import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workerCommand } from '../../src/cli/worker/command.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { fakeTerminal } from '../cli/fake-terminal.ts';
import { until } from '../until.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

describe('toolmend worker', { timeout: 120_000 }, () => {
  it('runs submitted runs, and leaves approvals to a person', async () => {
    const url = await postgres.database();
    const submits = fakeTerminal({ tty: false });
    expect(await workerCommand(['submit', 'Write', 'the', 'greeting', '--store', url], submits)).toBe(0);
    const id = submits.text().trim();
    expect(id).toMatch(/^run_\w+$/);
    const terminal = fakeTerminal();
    const code = workerCommand(['--store', url, '--at-once', '2'], terminal);
    await terminal.until(`${id} taken`);
    await terminal.until(`${id} ended: awaiting_approval`);
    terminal.interrupt();
    expect(await code).toBe(0);
    const store = await postgresStore(url);
    expect((await store.runs()).map(({ run }) => run)).toEqual([id]);
    await store.close();
  });

  it('serves its health and metrics, and is not ready without a database', async () => {
    const url = await postgres.database();
    const terminal = fakeTerminal();
    const code = workerCommand(['--store', url, '--port', '0', '--grace', '0'], terminal);
    await terminal.until('Health and metrics: http://127.0.0.1:');
    const [, base = ''] = /Health and metrics: (\S+)/.exec(terminal.text()) ?? [];
    const status = async (path: string) => (await fetch(`${base}${path}`)).status;
    await until(async () => (await status('/readyz')) === 200);
    const submits = fakeTerminal({ tty: false });
    await workerCommand(['submit', 'Write the greeting', '--key', 'k', '--store', url], submits);
    await workerCommand(['submit', 'Write the greeting', '--key', 'k', '--store', url], submits);
    expect(new Set(submits.text().trim().split('\n')).size).toBe(1);
    await terminal.until('ended: awaiting_approval');
    const metrics = await (await fetch(`${base}/metrics`)).text();
    expect(metrics).toContain('toolmend_worker_runs_total{event="ended",end="awaiting_approval"} 1\n');
    expect(metrics).toContain('toolmend_worker_active_runs 0\n');
    expect(await status('/other')).toBe(404);
    await postgres.stop();
    await until(async () => (await status('/readyz')) === 503);
    expect(await status('/healthz')).toBe(200);
    await postgres.start();
    await until(async () => (await status('/readyz')) === 200);
    terminal.interrupt();
    expect(await code).toBe(0);
  });

  it('F19 reports an unavailable database once, and continues when it is back', async () => {
    const url = await postgres.database();
    const terminal = fakeTerminal();
    const code = workerCommand(['--store', url], terminal);
    await terminal.until('Waiting for runs');
    await postgres.stop();
    await terminal.until('ECONNREFUSED');
    await postgres.start();
    const submits = fakeTerminal({ tty: false });
    await workerCommand(['submit', 'Write the greeting', '--store', url], submits);
    await terminal.until(`${submits.text().trim()} ended`);
    terminal.interrupt();
    expect(await code).toBe(0);
    const told = terminal
      .text()
      .split('\n')
      .filter((line) => line.includes('ECONNREFUSED'));
    expect(told).toEqual([expect.stringMatching(/^Can't fetch runs: The database does not respond: connect \S+ \S+$/)]);
  });

  it.each([
    [[], /postgres:\/\//],
    [['--store', join(mkdtempSync(join(tmpdir(), 'toolmend-worker-')), 'runs.db')], /Workers need a Postgres database/],
    [['dance', '--store', 'postgres://x/y'], /Unexpected argument 'dance'/],
    [['submit', '--store', 'postgres://x/y'], /submit PROMPT/],
    [['--store', 'postgres://x/y', '--at-once', '0'], /--at-once/],
    [['--store', 'postgres://x/y', '--resume-policy', 'x'], /Invalid --resume-policy 'x': expected one of: same/],
  ])('%j is a usage error', async (args, words) => {
    await expect(workerCommand(args, fakeTerminal())).rejects.toThrow(words);
  });
});
