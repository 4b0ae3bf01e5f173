import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import { until } from '../../../test/until.ts';
import type { RunEvent } from '../../log/events.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { sqliteStore } from '../../log/sqlite-store.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { agent } from '../../run/agent.ts';
import { tool } from '../../tools/tool.ts';
import { runCommand } from '../run/command.ts';
import { followRun, runsCommand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const store = join(folder, 'runs.db');
const pipe = () => fakeTerminal({ tty: false });

/** Runs a command with pipes; what it printed, and its code. */
async function runs(...args: string[]): Promise<{ text: string; told: string; code: number }> {
  const terminal = pipe();
  const code = await runsCommand([...args, '--store', store], terminal);
  return { text: terminal.text(), told: terminal.told(), code };
}
const listed = async (): Promise<Record<string, unknown>[]> =>
  (await runs('list', '--json')).text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const listRunsOf = async (file: string) => {
  const opened = sqliteStore(file);
  try {
    return await opened.runs({ limit: 9 });
  } finally {
    await opened.close();
  }
};

let done = '';
let waiting = '';
beforeAll(async () => {
  const scripts = ['--provider', 'scripted', '--store', store];
  await runCommand([...scripts, '--mode', 'auto', 'First 日本'], pipe());
  await runCommand([...scripts, 'Second'], pipe());
  for (const { run, state } of await listed()) {
    if (state === 'waiting') waiting = String(run);
    else done = String(run);
  }
});

describe('toolmend runs', () => {
  it('lists runs with their state, age, turns, calls and repairs, the newest first', async () => {
    const { text, code } = await runs();
    expect(code).toBe(0);
    const [head, second, first] = text.split('\n');
    expect(head).toMatch(/^run +state +age +turns +calls +repairs +prompt$/);
    expect(second).toMatch(/^run_\w{12} +waiting +\ds +3 +4 +10 +Second$/);
    expect(first).toMatch(/^run_\w{12} +done +\ds +8 +8 +10 +First 日本$/);
    expect(await listed()).toMatchObject([
      { run: waiting, state: 'waiting', calls: 4 },
      { run: done, state: 'done', turns: 8, calls: 8, repairs: 10, problems: 3 },
    ]);
    expect((await runs('list', '--limit', '1')).text.trimEnd().split('\n')).toHaveLength(2);
  });

  it('shows a run as it was seen: what was said, called, mended and told; an id may be short', async () => {
    const { text } = await runs('show', done.slice(4, 12));
    for (const words of [
      `${done}: scripted (scripted)\n`,
      '\n› First 日本\n',
      "I'll read the code first.\n",
      '~ pattern: renamed a key, "Pattern" → "pattern" (inferred)',
      "│ 1. Field 'edits.1.path' is required but missing",
      'done after 8 turns: 8 calls, 3 mended, 3 refused\n',
    ])
      expect(text).toContain(words);
    const events = (await runs('show', done, '--json')).text.trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line).seq)).toEqual(events.map((_, index) => index + 1));
  });

  it('escapes what a model wrote to act on a terminal, in text and in JSON', async () => {
    const hostile = 'x\u001b[2J\u001b]0;title\u0007\u009b31m\u202eevil\u200bword\u{e0041}';
    const file = join(folder, 'hostile.db');
    const own = sqliteStore(file);
    const look = tool({ name: 'look', description: 'Looks', effect: 'read', execute: () => hostile });
    const calls = [
      { name: 'look', arguments: { [hostile]: hostile } },
      { name: hostile, arguments: `{"a": ${hostile}` },
    ];
    const model = scripted([{ reasoning: hostile, text: hostile, calls }, `${hostile}\n\tindented`]);
    await agent({ model, tools: [look], store: own }).run(`\u202e ${hostile}`, { id: 'run_hostile' }).result;
    await own.close();
    const acts = /(?![\n\t])[\p{Cc}\p{Cf}]/u;
    for (const command of [
      ['list'],
      ['list', '--json'],
      ['show'],
      ['show', '--json'],
      ['result'],
      ['result', '--json'],
    ]) {
      const [action = '', ...flags] = command;
      const terminal = pipe();
      await runsCommand([action, ...(action === 'list' ? [] : ['hostile']), ...flags, '--store', file], terminal);
      const text = terminal.text();
      if (action === 'result')
        expect(flags[0] ? JSON.parse(text).text : text).toContain(
          flags[0] ? `${hostile}\n\tindented` : '\n\tindented\n',
        );
      expect(text).not.toMatch(acts);
      expect(text).toContain('\\u202e');
    }
  });

  it('follows a run that another process writes, until it ends', async () => {
    const own = sqliteStore(store);
    let say = (): void => {};
    const said = new Promise<void>((resolve) => {
      say = resolve;
    });
    const wait = tool({ name: 'wait', description: 'Waits', effect: 'read', execute: () => said.then(() => 'over') });
    const model = scripted([{ calls: [{ name: 'wait', arguments: '{}' }] }, 'It is over.']);
    const run = agent({ model, tools: [wait], store: own }).run('Wait', { id: 'run_followed' });
    await until(() => run.calls()[0]?.state === 'executing');
    const terminal = fakeTerminal();
    const followed = runsCommand(['follow', 'followed', '--store', store], terminal);
    await terminal.until('● wait');
    say();
    await terminal.until('It is over.');
    expect(await followed).toBe(0);
    await run.result;
    await own.close();
  });

  it('follow ends although an aborted tool returned after the end', async () => {
    const own = memoryStore();
    const at = { run: 'run_late', at: 1 };
    await own.append([
      { ...at, type: 'run.resumed', seq: 1 },
      { ...at, type: 'run.ended', seq: 2, end: 'aborted', message: 'Stopped' },
      { ...at, type: 'tool.orphaned', seq: 3, callId: 'a', name: 'look', outcome: 'ok' },
    ]);
    const signal = AbortSignal.timeout(2000);
    const followed: string[] = [];
    for await (const { type } of followRun(own, 'run_late', { pollInterval: 10, signal })) followed.push(type);
    expect(followed).toEqual(['run.resumed', 'run.ended', 'tool.orphaned']);
    expect(signal.aborted).toBe(false);
  });

  it('follow ends if the run is deleted', async () => {
    const own = memoryStore();
    await own.append([{ run: 'gone', at: 1, type: 'run.resumed', seq: 1 }]);
    const followed: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const { type } of followRun(own, 'gone', { pollInterval: 10, signal: AbortSignal.timeout(2000) })) {
        followed.push(type);
        if (type === 'run.resumed') await own.remove('gone');
      }
    };
    await expect(follow()).rejects.toMatchObject({ code: 'unknown_run' });
    expect(followed).toEqual(['run.resumed']);
  });

  it('result prints the last text of a run that is done, and how another ended', async () => {
    const { text, code } = await runs('result', done, '--json');
    expect([code, JSON.parse(text)]).toMatchObject([0, { run: done, end: 'done' }]);
    expect((await runs('result', done)).text).toBe(`${JSON.parse(text).text}\n`);
    expect(await runs('result', waiting)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^awaiting_approval: /),
    });
  });

  it('Ctrl-C ends following', async () => {
    const terminal = fakeTerminal();
    const followed = runsCommand(['follow', waiting, '--store', store], terminal);
    await terminal.until('awaiting_approval');
    terminal.interrupt();
    expect(await followed).toBe(0);
  });

  it('forks a run at an event, and the copy goes on by itself', async () => {
    const { text, told } = await runs('fork', done, '--at', '5');
    const forked = text.trim();
    expect(forked).toMatch(/^run_\w{32}$/);
    expect(told).toContain(`toolmend runs resume ${forked}`);
    expect((await runs('show', forked)).text.replaceAll('\n', ' ')).toContain(`forked from ${done} at 5`);
    const { text: after, code } = await runs('resume', forked, '--provider', 'scripted', '--mode', 'auto');
    expect(code).toBe(0);
    expect(after).toContain('done after 8 turns');
    await expect(runs('fork', done, '--at', '1000')).rejects.toThrow(/the last event of the run is/);
  });

  it('F31 lists dead runs with their last error, however many newer runs there are, and queues them again', async () => {
    const own = sqliteStore(store);
    const helper = agent({ model: scripted(['Over.']), store: own });
    const dead = await helper.submit('Kill', { id: 'run_dead' });
    const error = { name: 'heartbeat_timeout', message: 'The worker died' };
    const ended = { type: 'run.ended', end: 'dead', message: 'Failed', errors: [error], run: dead, seq: 3, at: 1 };
    await own.append([ended as RunEvent]);
    const { text } = await runs('--dead');
    expect(text).toMatch(/\nrun_dead +dead +\d+d +0 +0 +0 +heartbeat_timeout: The work/);
    expect(JSON.parse((await runs('--dead', '--json')).text)).toMatchObject({ run: dead, errors: [error] });
    expect((await runs('requeue', dead)).text).toBe('run_dead\n');
    expect((await runs('--dead')).text).toBe('No runs.\n');
    await expect(runs('requeue', done)).rejects.toThrow(/was not submitted to workers/);
    await own.remove(dead);
    await own.close();
  });

  it('resumes a waiting run: requests approval, and continues', async () => {
    const { text: copy } = await runs('fork', waiting);
    const terminal = fakeTerminal();
    const resumed = runsCommand(
      ['resume', copy.trim(), '--store', store, '--provider', 'scripted', '--deny', 'fs_*', '--deny', 'delete_*'],
      terminal,
    );
    await terminal.until('? WRITES write_file wants to run');
    await terminal.until('e edit › ');
    terminal.type('y\r');
    expect(await resumed).toBe(0);
    expect(terminal.text()).toContain('52 characters written to src/greet.ts');
    expect(terminal.text()).toContain('The call was not allowed: the rule fs_* forbids it');
  });

  it('a call that waits for a person keeps waiting, even if the rules of now would allow it', async () => {
    const file = join(folder, 'waits.db');
    await runCommand(['--provider', 'scripted', '--store', file, 'Wait'], pipe());
    const resumed = async (...flags: string[]): Promise<string> => {
      const terminal = pipe();
      const [{ run } = { run: '' }] = await listRunsOf(file);
      await runsCommand(['resume', run, '--provider', 'scripted', '--store', file, '--json', ...flags], terminal);
      return terminal.text();
    };
    const kept = await resumed('--mode', 'auto');
    expect(kept).toContain('"end":"awaiting_approval"');
    expect(kept).not.toContain('approval.decided');
    const denied = await resumed('--mode', 'readonly');
    expect(denied).toContain('"type":"approval.decided"');
    expect(denied).toContain('only read-only tools may run here');
  });

  it('a run that is done needs something to go on with', async () => {
    await expect(runs('resume', done, '--provider', 'scripted')).rejects.toThrow(/^The run is done\./);
    const { text } = await runs('resume', done, '--provider', 'scripted', 'And now?');
    expect(text).toContain('I am a scripted model, and the script ends here.');
  });

  it.each([
    [['show'], /^Missing ID\./],
    [['show', 'zzz'], /No run 'zzz'/],
    [['show', 'run_'], /\d+ runs start with 'run_'/],
    [
      ['dance'],
      /Unknown action 'dance'\. Expected one of: list, show, follow, result, resume, fork, requeue, cancel, send/,
    ],
    [['list', '--limit', 'x'], /Invalid --limit 'x': expected an integer of 1 or more/],
  ])('%j is a wrong use', async (args, words) => {
    await expect(runs(...args)).rejects.toThrow(words);
  });

  it('a store must be named and be one', async () => {
    await expect(runsCommand(['list'], pipe())).rejects.toThrow(/--store FILE/);
    await expect(runsCommand(['--store', join(folder, 'none.db')], pipe())).rejects.toThrow(/no such file/);
    writeFileSync(join(folder, 'text.db'), 'no database, just words '.repeat(50));
    await expect(runsCommand(['--store', join(folder, 'text.db')], pipe())).rejects.toThrow(/can't open the store/);
  });

  it('works as a process', () => {
    const main = join(import.meta.dirname, '../main.ts');
    const { stdout, status } = spawnSync(process.execPath, [main, 'runs', '--store', store], { encoding: 'utf8' });
    expect(stdout).toContain('First 日本');
    expect(status).toBe(0);
  });
});
