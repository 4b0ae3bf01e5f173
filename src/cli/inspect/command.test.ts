import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import type { RunList } from '../../inspect/api.ts';
import { sqliteStore } from '../../log/sqlite-store.ts';
import { inspectCommand } from './command.ts';

describe('toolmend inspect', () => {
  it('shows a store, and what others write to it while it is shown', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'toolmend-inspect-')), 'runs.db');
    const store = sqliteStore(file);
    const begin = (run: string, at: number) =>
      store.append([{ type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [], run, seq: 1, at }]);
    await begin('first', 1);
    const terminal = fakeTerminal();
    const code = inspectCommand([file, '--port', '0'], terminal);
    await terminal.until('The inspector is at ');
    await terminal.until('\n');
    const [at = ''] = /http:\S+/.exec(terminal.text()) ?? [];
    const runs = async () => ((await (await fetch(`${at}api/runs`)).json()) as RunList).runs.map(({ run }) => run);
    expect(await runs()).toEqual(['first']);
    await begin('second', 2);
    expect(await runs()).toEqual(['second', 'first']);
    terminal.interrupt();
    expect(await code).toBe(0);
    await store.close();
  });

  it.each([
    [[], /^Expected one FILE/],
    [['nowhere.db'], /nowhere[.]db: no such file/],
    [['a.db', '--token', 'NOT_SET'], /NOT_SET is not set/],
    [['a.db', '--port', 'x'], /^Invalid --port 'x': expected an integer/],
  ])('%j is a wrong use', async (args, words) => {
    await expect(inspectCommand(args, fakeTerminal())).rejects.toThrow(words);
  });

  it('says how it is used', async () => {
    const terminal = fakeTerminal();
    expect(await inspectCommand(['--help'], terminal)).toBe(0);
    await terminal.until('Exit code');
  });
});
