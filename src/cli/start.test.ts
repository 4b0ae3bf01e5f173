import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../test/cli/fake-terminal.ts';
import { runCli } from '../../test/cli/run-cli.ts';
import { until } from '../../test/until.ts';
import type { RunDetail, RunList } from '../inspect/api.ts';
import { demo } from './demo/demo.ts';
import { columnsOf } from './terminal/layout.ts';

const run = (args: readonly string[], env: Record<string, string | undefined>) =>
  spawnSync(
    process.execPath,
    args.map((arg) => (arg.endsWith('.ts') ? join(import.meta.dirname, arg) : arg)),
    {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
    },
  );

describe('toolmend tour', () => {
  it('S1.6 shows a whole run, plain and within 80 columns in a pipe', () => {
    const { stdout, stderr, status } = run(['main.ts', 'tour'], {});
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const course = [...stdout.matchAll(/^[✓✗⊘] (\w+) .*?(mended|refused: \w+|denied|allowed)/gm)];
    expect(course.map(([, name, word]) => `${name} ${word}`)).toEqual([
      'read_file mended',
      'pattern_search mended',
      'write_file refused: truncated',
      'write_file mended',
      'fs_multi_edit refused: validation',
      'fs_multi_edit allowed',
      'delete_folder refused: validation',
      'delete_folder denied',
    ]);
    expect(stdout).toContain('The call was not allowed: keep it');
    expect(stdout).toContain('done after 8 turns: 8 calls, 3 mended, 3 refused, 1 denied');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(80);
  });

  it('uses colors if requested', async () => {
    const { stdout } = await runCli(['tour'], { env: { NO_COLOR: undefined, FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[32m✓\u001b[0m \u001b[1mread_file\u001b[0m');
  });
});

describe('npm start', () => {
  it('plays damaged conversations through the proxy, and ends by itself in a pipe, plain and narrow', () => {
    const { stdout, stderr, status } = run(['start.ts'], {});
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('11 calls: 4 unchanged, 4 mended, 3 refused and corrected.');
    expect(stdout).toContain('✓ searchCode → search_code  mended: name, list, enum');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(80);
  });

  it('stays in a terminal, with an inspector that shows what happened and takes an approval', async () => {
    const terminal = fakeTerminal();
    const code = demo(terminal);
    await terminal.until('Press Ctrl-C to stop.');
    const [, at = '', token = ''] =
      /(http:\/\/127[.]0[.]0[.]1:\d+\/inspector\/)[?]token=(\S+)/.exec(terminal.text()) ?? [];
    const headers = { 'x-toolmend-token': token, 'content-type': 'application/json' };
    const get = async (path: string) => (await fetch(`${at}api/${path}`, { headers })).json();
    expect((await fetch(`${at}api/runs`)).status).toBe(401);
    const { runs, total } = (await get('runs')) as RunList;
    expect(total).toBe(20);
    const waiting = runs.find(({ end }) => end === 'awaiting_approval');
    const call = waiting?.calls.find(({ status }) => status === 'waiting');
    const path = `${at}api/approvals/${waiting?.run}/${call?.callId}`;
    expect((await fetch(path, { method: 'POST', headers, body: '{"type":"allow"}' })).status).toBe(200);
    await until(async () => ((await get(`runs/${waiting?.run}`)) as RunDetail).row.end === 'done');
    terminal.interrupt();
    expect(await code).toBe(0);
  });
});
